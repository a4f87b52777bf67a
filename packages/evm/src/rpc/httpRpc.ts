import { InputError, NodeError } from "@vipscore/core";
import { HttpStatusError, RpcError, type JsonRpc, type JsonRpcOptions } from "./jsonRpc.ts";
import { isObject } from "./isObject.ts";
import { decodePart, redactText, redactUrl } from "./redactUrl.ts";
import { retryRead } from "./retryRead.ts";

/** How long one attempt may take, in milliseconds: a large `eth_call` on a busy node takes several seconds. */
const defaultTimeoutMs = 30_000;

/** Largest answer that is read; a page of scores has about 0.2 MB. */
const maxAnswerBytes = 33_554_432;

/**
 * JSON-RPC over HTTP or HTTPS.
 *
 * @throws InputError `CONFIG_INVALID` when the text is not an http or https URL.
 */
export function httpRpc(rpcUrl: string, timeoutMs = defaultTimeoutMs): JsonRpc {
  const url = parseUrl(rpcUrl);
  const endpoint = redactUrl(url);
  const given = new URL(url);
  const hide = (text: string) => redactText(text, given);
  const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
  if (url.username !== "" || url.password !== "") {
    // fetch refuses a URL with a user in it.
    const credentials = `${decodePart(url.username)}:${decodePart(url.password)}`;
    headers["authorization"] = `Basic ${Buffer.from(credentials).toString("base64")}`;
    url.username = "";
    url.password = "";
  }
  let nextId = 1;

  const attempt = async (method: string, params: readonly unknown[], signal: AbortSignal | undefined) => {
    const id = nextId++;
    const timeout = AbortSignal.timeout(timeoutMs);
    const combined = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    let status: number;
    let text: string;
    try {
      const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      const response = await fetch(url, { method: "POST", headers, body, signal: combined });
      status = response.status;
      text = await readText(response, endpoint);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof NodeError) throw error;
      const details = timeout.aborted ? `no answer to ${method} within ${timeoutMs / 1000} s` : networkFault(error);
      throw new NodeError(`${endpoint} does not answer: ${details}`, { code: "NODE_UNREACHABLE", details });
    }
    return resultOf(text, { endpoint, method, id, status, hide });
  };

  return {
    endpoint,
    request(method: string, params: readonly unknown[], { signal, attempts }: JsonRpcOptions): Promise<unknown> {
      const run = () => attempt(method, params, signal);
      return attempts === "once" ? run() : retryRead(run, signal);
    },
  };
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // The text is not repeated: it can hold a key pasted into the wrong place.
    throw new InputError("the RPC URL is not an http:// or https:// URL", { code: "CONFIG_INVALID" });
  }
  return url;
}

async function readText(response: Response, endpoint: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) {
      throw new NodeError(`${endpoint} sent more than ${maxAnswerBytes} bytes`, { code: "NODE_BAD_RESPONSE" });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** `fetch failed` says nothing; the cause beneath has the system's code, such as ECONNREFUSED. */
function networkFault(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause !== undefined) deepest = deepest.cause;
  if (!(deepest instanceof Error)) return "network fault";
  return "code" in deepest && typeof deepest.code === "string" ? deepest.code : deepest.message;
}

/** What an answer is judged by. */
interface Asked {
  readonly endpoint: string;
  readonly method: string;
  readonly id: number;
  readonly status: number;
  readonly hide: (text: string) => string;
}

function resultOf(text: string, { endpoint, method, id, status, hide }: Asked): unknown {
  let answer: Readonly<Record<string, unknown>> | undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) answer = parsed;
  } catch {
    // Not JSON: judged below, by the HTTP status first.
  }
  // Some providers send the error object with an HTTP status of its own; a limit stays a limit either way.
  const error = answer?.["error"];
  if (isObject(error) && status !== 429) {
    const { code, message, data } = error;
    throw new RpcError(endpoint, method, { code, message: typeof message === "string" ? hide(message) : "", data });
  }
  const excerpt = hide(text.slice(0, 200));
  if (status < 200 || status > 299) throw new HttpStatusError(endpoint, status, excerpt);
  if (answer?.["result"] === undefined || answer["id"] !== id) {
    const kind = /^\s*</.test(text) ? "a web page" : "something else";
    throw new NodeError(`${endpoint} answered ${method} with ${kind}, not JSON-RPC; is it the RPC URL of the rollup?`, {
      code: "NODE_BAD_RESPONSE",
      details: excerpt,
    });
  }
  return answer["result"];
}
