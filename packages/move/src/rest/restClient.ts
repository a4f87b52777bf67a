import { NodeError } from "@vipscore/core";
import {
  exchange,
  HttpStatusError,
  isObject,
  parseEndpoint,
  retryRead,
  type HttpAnswer,
  type HttpEndpoint,
} from "@vipscore/core/http";
import { isPassing, RestError } from "./restErrors.ts";

/** How long one attempt may take, in milliseconds: a node serves the receipt of a large batch in a second or two. */
const defaultTimeoutMs = 30_000;

/** Largest answer that is read. The receipt of a batch of 6,000 scores with an event each has some 5 MB. */
const maxAnswerBytes = 67_108_864;

/** A JSON object as the node answered it. */
export type RestAnswer = Readonly<Record<string, unknown>>;

/** How one request is made. */
export interface RestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Read the state after this block; the newest when absent. */
  readonly height?: bigint | undefined;
  readonly query?: Readonly<Record<string, string>>;
}

/** The REST interface of a node of the Cosmos SDK. */
export interface RestClient {
  /** Where requests go, without credentials; for messages. */
  readonly endpoint: string;
  /**
   * Reads; repeated a few times with growing pauses when the endpoint or the network fails.
   *
   * @throws RestError when the node refuses; NodeError `NODE_UNREACHABLE` or `NODE_BAD_RESPONSE` when it does not answer
   * or answers something else; the signal's reason when aborted.
   */
  get(path: string, options?: RestOptions): Promise<RestAnswer>;
  /** Reads with a body, as {@link RestClient.get}. */
  query(path: string, body: object, options?: RestOptions): Promise<RestAnswer>;
  /** Sends once, for a transaction whose fate is unknown when no answer comes. */
  send(path: string, body: object, options?: RestOptions): Promise<RestAnswer>;
}

/**
 * Connects to a REST endpoint.
 *
 * @throws InputError `CONFIG_INVALID` when the text is not an http or https URL.
 */
export function openRest(restUrl: string, timeoutMs = defaultTimeoutMs): RestClient {
  const endpoint = parseEndpoint(restUrl, "REST URL");
  const retry = ({ signal }: RestOptions) => ({ isPassing, signal });
  const attempt = (path: string, options: RestOptions, body?: object) =>
    request(endpoint, { path, options, timeoutMs, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return {
    endpoint: endpoint.shown,
    get: (path, options = {}) => retryRead(() => attempt(path, options), retry(options)),
    query: (path, body, options = {}) => retryRead(() => attempt(path, options, body), retry(options)),
    send: (path, body, options = {}) => attempt(path, options, body),
  };
}

interface Request {
  readonly path: string;
  readonly options: RestOptions;
  readonly timeoutMs: number;
  readonly body?: string;
}

async function request(endpoint: HttpEndpoint, { path, options, timeoutMs, body }: Request): Promise<RestAnswer> {
  const { signal, height, query } = options;
  const headers: Record<string, string> = {};
  if (height !== undefined) headers["x-cosmos-block-height"] = height.toString();
  if (body !== undefined) headers["content-type"] = "application/json";
  const answer = await exchange(endpoint, {
    url: endpoint.at(path, query),
    title: path,
    method: body === undefined ? "GET" : "POST",
    headers,
    body,
    timeoutMs,
    maxBytes: maxAnswerBytes,
    signal,
  });
  return judge(endpoint, path, answer);
}

function judge({ shown, hide }: HttpEndpoint, path: string, { status, text, json }: HttpAnswer): RestAnswer {
  const succeeded = status >= 200 && status <= 299;
  if (succeeded && isObject(json)) return json;
  // A limit stays a limit, whatever the body says.
  if (!succeeded && status !== 429 && isObject(json)) {
    const { code: grpcCode, message } = json;
    if (typeof grpcCode === "number" && typeof message === "string") {
      throw new RestError(shown, path, { status, grpcCode, message: hide(message) });
    }
  }
  const excerpt = hide(text.slice(0, 200));
  if (!succeeded) throw new HttpStatusError(shown, status, excerpt);
  const kind = /^\s*</.test(text) ? "a web page" : "something else";
  throw new NodeError(`${shown} answered ${path} with ${kind}, not with JSON; is it the REST URL of the rollup?`, {
    code: "NODE_BAD_RESPONSE",
    details: excerpt,
  });
}
