import { NodeError, VipError } from "@vipscore/core";
import {
  exchange,
  HttpStatusError,
  isObject,
  retryRead,
  type HttpAnswer,
  type HttpEndpoint,
} from "@vipscore/core/http";
import { RestError } from "./restError.ts";

/** How long one attempt may take, in milliseconds. */
const defaultTimeoutMs = 15_000;

/** Largest answer that is read; a block of L1 has some 2 MB at most, everything else a few kB. */
const maxBytes = 16_777_216;

/** Statuses of a gateway that cannot reach its node, or is asked too often. */
const unavailable = new Set([408, 429, 502, 503, 504]);

/** One read of an endpoint. */
export interface JsonRead {
  readonly method: "GET" | "POST";
  /** Below the endpoint's own path, from `/` on. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The height whose state is read, which Cosmos nodes take as a header; the newest without it. */
  readonly height?: bigint;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The JSON that an endpoint answers a read with. Repeated up to four times while the endpoint or the network fails.
 *
 * @throws RestError when the node refuses; NodeError `NODE_UNREACHABLE`, `NODE_ERROR`, `NODE_BAD_RESPONSE` when it does not
 * answer or answers something else; the signal's reason when aborted.
 */
export function readJson(endpoint: HttpEndpoint, read: JsonRead, timeoutMs = defaultTimeoutMs): Promise<unknown> {
  const { method, path, query, height, signal } = read;
  const request = {
    url: endpoint.at(path, query),
    title: path,
    method,
    headers: height === undefined ? {} : { "x-cosmos-block-height": height.toString() },
    timeoutMs,
    maxBytes,
    signal,
  };
  return retryRead(async () => judge(endpoint, await exchange(endpoint, request)), { isPassing, signal });
}

function judge({ shown, hide }: HttpEndpoint, { status, text, json }: HttpAnswer): unknown {
  const excerpt = hide(text.slice(0, 200));
  if (status < 200 || status > 299) {
    const { code, message } = isObject(json) ? json : {};
    // A Cosmos node answers what it cannot do with status 500 and an object that says why.
    if (typeof code === "number" && typeof message === "string" && !unavailable.has(status)) {
      throw new RestError(shown, status, { code, message: hide(message) });
    }
    throw new HttpStatusError(shown, status, excerpt);
  }
  if (json !== undefined) return json;
  const kind = /^\s*</.test(text) ? "a web page" : text === "" ? "nothing" : "something that is not JSON";
  throw new NodeError(`${shown} answered with ${kind}`, { code: "NODE_BAD_RESPONSE", details: excerpt });
}

/** The node behind a balancer that answers may be a block behind the one that answered before. */
const lagsBehind = /height in the future|rate limit|too many requests/i;

function isPassing(error: unknown): boolean {
  if (!VipError.isVipError(error)) return false;
  return error.code === "NODE_UNREACHABLE" || lagsBehind.test(error.details ?? "");
}
