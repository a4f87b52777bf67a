import { NodeError } from "../errors/vipError.ts";
import { tryParseJson } from "../jsonScanner.ts";
import type { HttpEndpoint } from "./endpoint.ts";

/** One request and its limits. */
export interface HttpRequest {
  readonly url: URL;
  /** Name of the request, for the message if no answer comes. */
  readonly title: string;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Time limit of the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Largest answer to read, in bytes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Reads the body chunk by chunk, for an answer that may be larger than memory. Then `text` is empty, and the time limit applies
   * to the first byte, then to each chunk.
   */
  readonly readChunk?: ((chunk: Uint8Array) => void) | undefined;
}

/** The HTTP answer, with any status and body. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** The text as JSON; undefined if it is not JSON. */
  readonly json: unknown;
  /** Wait that the endpoint asks of clients, in milliseconds; 0 if it does not ask. */
  readonly retryAfterMs: number;
}

/** The system's codes if nothing listens at an address, and what to check. */
const notListening: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "Nothing listens there: check that it runs, and the port of the URL."],
  ["ENOTFOUND", "No host has this name: check its spelling, and this machine's network."],
]);

/** Faults that every attempt meets again, by the code or text of Node, and what to do. */
const lastingFaults: readonly (readonly [fault: RegExp, advice: string])[] = [
  [/^bad port$/, "Node never connects to this port: use another."],
  [/ALTNAME_INVALID/, "Its certificate is for another name: use that name in the URL."],
  [/CERT_(HAS_EXPIRED|NOT_YET_VALID)/, "Its certificate is not valid today: check the clock, or have it renewed."],
  [
    /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)|CERT_UNTRUSTED/,
    "Node does not trust its certificate: name the file of its issuer in NODE_EXTRA_CA_CERTS.",
  ],
  [/ERR_SSL_(WRONG_VERSION|PACKET_LENGTH|HTTP_REQUEST)/, "It does not speak TLS: write http:// instead of https://."],
  [/NO_APPLICATION_PROTOCOL|^HPE_/, "It does not speak HTTP/1.1, perhaps HTTP/2 alone: use another endpoint."],
  [/^(ERR_SSL|ERR_TLS|CERT_|EPROTO$)/, "TLS fails: check the URL and the endpoint's certificate."],
];

const tlsProbeMs = 2_000;

/** Bytes of a request from which its size may be why a gateway closes the connection. */
const largeBytes = 65_536;

/**
 * Sends one request once and reads the whole answer. Follows redirects on the same host.
 *
 * @throws NodeError `NODE_UNREACHABLE` if no answer comes in time, `NODE_BAD_RESPONSE` if it is too long,
 * `NODE_REDIRECTED` if it redirects to another host; the signal's reason when aborted.
 */
export async function exchange(endpoint: HttpEndpoint, request: HttpRequest): Promise<HttpAnswer> {
  const { url, title, method, headers, body, timeoutMs, maxBytes, signal, readChunk } = request;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  let hasBegun = false;
  try {
    const response = await followRedirects(endpoint.shown, url, {
      method,
      headers: { ...endpoint.headers, accept: "application/json", ...headers },
      signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
      ...(body === undefined ? {} : { body }),
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      hasBegun = true;
      size += chunk.byteLength;
      if (size > maxBytes) {
        throw new NodeError(`${endpoint.shown} sent more than ${maxBytes} bytes`, { code: "NODE_BAD_RESPONSE" });
      }
      if (readChunk === undefined) {
        chunks.push(chunk);
        continue;
      }
      timer.refresh();
      readChunk(chunk);
    }
    const text = Buffer.concat(chunks).toString("utf8");
    const { status, headers: answered } = response;
    return { status, text, json: tryParseJson(text), retryAfterMs: readRetryAfter(answered) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof NodeError) throw error;
    const seconds = (timeoutMs / 1000).toFixed(timeoutMs < 1000 ? 3 : 0);
    const reason = hasBegun && readChunk !== undefined ? `the answer to ${title} broke off: ` : "";
    const isLate = timeout.signal.aborted;
    const details = isLate ? `no answer to ${title} within ${seconds} s` : reason + networkFault(error);
    const lasting = (await speaksTls(endpoint, url, details))
      ? "It speaks TLS: write https:// instead of http://."
      : lastingFaults.find(([fault]) => fault.test(details))?.[1];
    const advice = lasting ?? findAdvice(endpoint, request, details);
    const isStranger = (notListening.has(details) || isProxyUnused(url)) && !endpoint.memory.hasAnswered;
    const message = `${endpoint.shown} does not answer: ${details}`;
    throw new (isStranger ? UnknownServiceError : NodeError)(message, {
      code: "NODE_UNREACHABLE",
      details,
      isTransient: lasting === undefined,
      ...(advice === undefined ? {} : { metaMessages: [advice] }),
    });
  } finally {
    clearTimeout(timer);
  }
}

/** The codes of Node for a connection that the other side closes. */
export const resets = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

/** True if a port that has never answered a plain request, and closed its connection or sent bytes of TLS, speaks TLS. */
async function speaksTls({ memory }: HttpEndpoint, { protocol, host }: URL, details: string): Promise<boolean> {
  if (memory.hasAnswered || protocol !== "http:" || !(resets.test(details) || details.startsWith("HPE_"))) return false;
  return fetch(`https://${host}`, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(tlsProbeMs) }).then(
    () => true,
    (error: unknown) => /CERT|SIGNED|UNABLE_TO|PROTOCOL/.test(networkFault(error)),
  );
}

/** What to do about a fault that may pass; undefined if nothing is known. */
function findAdvice({ memory }: HttpEndpoint, { url, body = "" }: HttpRequest, details: string): string | undefined {
  if (resets.test(details)) {
    const size = `${Math.ceil(body.length / 1024)} KiB`;
    return body.length < largeBytes
      ? undefined
      : `The request had ${size}: the endpoint may limit the size of requests.`;
  }
  if (memory.hasAnswered || !isProxyUnused(url)) return notListening.get(details);
  return "A proxy is set (HTTPS_PROXY), but Node uses it only with NODE_USE_ENV_PROXY=1, from Node 22.21 or 24.5 on.";
}

/** True if the environment names a proxy for the URL that Node was not told to use. */
function isProxyUnused({ protocol, hostname }: URL): boolean {
  const { env } = process;
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const isLocal = /^(localhost|127\.|\[::1\])/.test(hostname);
  return Boolean(env[name] ?? env[name.toLowerCase()]) && env["NODE_USE_ENV_PROXY"] !== "1" && !isLocal;
}

/**
 * Returns how long an endpoint asks clients to wait with `Retry-After`, seconds or a date (RFC 9110, section 10.2.3), in
 * milliseconds; 0 if it does not ask. A date is compared with the endpoint's clock if the answer shows it.
 */
export function readRetryAfter(headers: Headers): number {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const now = Date.parse(headers.get("date") ?? "");
  const milliseconds = Date.parse(value) - (Number.isNaN(now) ? Date.now() : now);
  return milliseconds > 0 ? milliseconds : 0;
}

/**
 * Returns the cause of a failed request: the system's code, such as ECONNREFUSED, or the message of the deepest cause. The
 * error of `fetch` itself says only `fetch failed`.
 */
function networkFault(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause !== undefined) deepest = deepest.cause;
  if (!(deepest instanceof Error)) return "network fault";
  return "code" in deepest && typeof deepest.code === "string" ? deepest.code : deepest.message;
}

/**
 * Thrown for an endpoint that never answered as a node: nothing listens at its address, or another service does. Reads are
 * retried only briefly, because the URL is probably wrong.
 */
export class UnknownServiceError extends NodeError {
  static override readonly className: string = "UnknownServiceError";

  override readonly name: string = "UnknownServiceError";
}

/** An HTTP error status without an error in the node's format. */
export class HttpStatusError extends NodeError {
  static override readonly className: string = "HttpStatusError";

  override readonly name: string = "HttpStatusError";
  readonly status: number;

  /** @param isKnown - True if the endpoint has answered before: then status 403 is a firewall's limit, not a wrong key. */
  constructor(endpoint: string, status: number, details: string, { retryAfterMs = 0, isKnown = false } = {}) {
    const unavailable = status === 408 || status === 429 || (status >= 500 && status !== 501);
    const denied = status === 401 || status === 403;
    const limited = status === 403 && isKnown;
    // Cloudflare's pages, and its short form for programs.
    const isBlocked = status === 403 && /^\s*<|^error code: \d+/.test(details);
    const hint = limited
      ? "; it may limit requests, their size or their methods"
      : isBlocked
        ? " with the page of a firewall or a web server: it may block this machine's address or programs; ask its provider"
        : denied
          ? "; check the credentials in the URL"
          : "";
    super(`${endpoint} answered HTTP status ${status}${hint}`, {
      code: unavailable ? "NODE_UNREACHABLE" : denied ? "NODE_ERROR" : "NODE_BAD_RESPONSE",
      details,
      retryAfterMs,
      isTransient: unavailable || limited,
    });
    this.status = status;
  }
}

/** Creates the error for an answer with an HTTP error status. */
export function statusError(
  { shown, hide, memory }: HttpEndpoint,
  { status, text, retryAfterMs }: Omit<HttpAnswer, "json">,
): HttpStatusError {
  return new HttpStatusError(shown, status, hide(text).slice(0, 200), { retryAfterMs, isKnown: memory.hasAnswered });
}

const maxRedirects = 3;
/** 303 is missing because it changes the request to a GET. */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/**
 * `fetch` that follows redirects on the same host only, with the same method and body. Keys in the URL and signed
 * transactions are meant for the configured host, and answers from another host cannot be trusted.
 */
async function followRedirects(shown: string, url: URL, init: RequestInit): Promise<Response> {
  let at = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await fetch(at, { ...init, redirect: "manual" });
    const location = redirectStatuses.has(response.status) ? response.headers.get("location") : null;
    if (location === null || !URL.canParse(location, at.href)) return response;
    await response.body?.cancel();
    const target = new URL(location, at);
    if (!isSameHost(at, target)) throw redirected(shown, target);
    at = target;
  }
  throw new NodeError(`${shown} redirects in a circle`, { code: "NODE_BAD_RESPONSE" });
}

/** True for the same host and port, with an optional upgrade from http to https. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.host !== to.host) return false;
  return from.protocol === to.protocol || (from.protocol === "http:" && to.protocol === "https:");
}

function redirected(shown: string, { host }: URL): NodeError {
  return new NodeError(`${shown} redirects to another host: ${host}`, {
    code: "NODE_REDIRECTED",
    metaMessages: ["If that host is the rollup's, name its URL instead."],
  });
}

/** The request, for the message about an answer outside the protocol. */
export interface Expectation {
  /** A method or a path. */
  readonly title: string;
  /** The expected protocol, and a question for the person who set the URL. */
  readonly expected: string;
}

/**
 * An answer outside the protocol: a web page, an empty body, half an answer or the answer to another request. If the
 * endpoint spoke the protocol before, it is a proxy's fault and may last as long as an outage. Otherwise the URL may belong
 * to another service, and a read gives up soon.
 */
export class UnexpectedAnswerError extends NodeError {
  static override readonly className: string = "UnexpectedAnswerError";

  override readonly name: string = "UnexpectedAnswerError";
  /** True if the endpoint never answered in the protocol. */
  readonly fromStranger: boolean;

  constructor(
    { shown, hide, memory }: HttpEndpoint,
    { title, expected }: Expectation,
    answer: Pick<HttpAnswer, "text" | "json">,
  ) {
    const { text } = answer;
    super(`${shown} answered ${title} with ${describeAnswer(answer)}, not ${expected}`, {
      code: "NODE_BAD_RESPONSE",
      details: hide(text).slice(0, 200),
      isTransient: true,
    });
    this.fromStranger = !memory.hasAnswered;
  }
}

/** True for truncated JSON. */
export function isHalfAnswer({ text, json }: Pick<HttpAnswer, "text" | "json">): boolean {
  return json === undefined && /^\s*[{[]/.test(text);
}

function describeAnswer(answer: Pick<HttpAnswer, "text" | "json">): string {
  const { text } = answer;
  if (/^\s*</.test(text)) return "a web page";
  if (text.trim() === "") return "nothing";
  return isHalfAnswer(answer) ? "half an answer" : "something else";
}
