import { BroadcastError, NodeError } from "../errors/vipError.ts";
import { patienceMs as defaults, sendTimeoutMs } from "../time/patience.ts";
import { Answer, isObject, type ReadAnswer } from "./answer.ts";
import { parseEndpoint, type HttpEndpoint } from "./endpoint.ts";
import { exchange, HttpStatusError, resets, statusError, UnexpectedAnswerError } from "./exchange.ts";
import { atPace, isPassingText, retryRead, type RetryReadOptions } from "./retryRead.ts";

/** Largest answer to read, in bytes. The receipt of a batch of 2,700 scores with an event each has some 2 MB on CometBFT. */
const defaultMaxBytes = 67_108_864;

/** The JSON-RPC interface of a node: an EVM node's, or CometBFT's. */
export interface JsonRpc {
  /** The URL that requests go to, without credentials; for messages. */
  readonly endpoint: string;
  /**
   * Calls a method that changes nothing; retried as in {@link retryRead}.
   *
   * @param params - A list or an object, as the method takes them.
   * @param read - Reads the result.
   * @throws RpcError if the node refuses; NodeError `NODE_UNREACHABLE` or `NODE_BAD_RESPONSE` if it does not answer or
   * answers something else; the signal's reason when aborted.
   */
  read<T>(method: string, params: unknown, read: ReadAnswer<T>, signal?: AbortSignal): Promise<T>;
  /** Sends once, for a transaction whose outcome is unknown if no answer comes within a third of the patience. */
  send<T>(method: string, params: unknown, read: ReadAnswer<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Sends several calls of a method in one request, once; geth, minievm and CometBFT run them in order. Undefined for a wallet.
   *
   * @returns A function that returns the answer to a call by its index, or rejects as `send` does; if the request as a whole is
   * refused, perhaps because the node takes one call at a time, with a NodeError that is no RpcError.
   */
  readonly sendAll?: (
    method: string,
    params: readonly unknown[],
    signal: AbortSignal | undefined,
  ) => (at: number) => Promise<Answer>;
}

/** What a node answers to one of several calls. */
export type OneOfMany = Answer | RpcError | undefined;

/** Options of a JSON-RPC connection. */
export interface OpenJsonRpcOptions {
  /** Name of the URL, for messages. Default: `RPC URL`. */
  readonly title?: string;
  /** Maximum wait for failures that may pass, in milliseconds. Default: 30,000. */
  readonly patienceMs?: number | undefined;
  /** Time limit of each attempt of a read, in milliseconds. Default: a share of the patience, see {@link retryRead}. */
  readonly timeoutMs?: number | undefined;
  /** Largest answer to read, in bytes. Default: 67,108,864. */
  readonly maxBytes?: number | undefined;
  /** See {@link RetryReadOptions}; for all reads. */
  readonly isFinal?: RetryReadOptions["isFinal"];
}

/**
 * Connects to a JSON-RPC endpoint.
 *
 * @throws InputError `CONFIG_INVALID` if the text is not an http or https URL.
 */
export function openJsonRpc(rpcUrl: string, options: OpenJsonRpcOptions = {}): JsonRpc {
  const { title = "RPC URL", patienceMs = defaults.outage, maxBytes = defaultMaxBytes, isFinal } = options;
  const endpoint = parseEndpoint(rpcUrl, title);
  return {
    endpoint: endpoint.shown,
    read: (method, params, read, signal) =>
      retryRead(
        (shareMs) => {
          const { timeoutMs = shareMs } = options;
          return callJsonRpc(endpoint, { method, params, timeoutMs, maxBytes, signal }, read);
        },
        { endpoint: endpoint.shown, signal, isFinal, patienceMs, pace: endpoint.memory.pace },
      ),
    send: (method, params, read, signal) =>
      atPace(endpoint.memory.pace, signal, () =>
        callJsonRpc(endpoint, { method, params, timeoutMs: sendTimeoutMs(patienceMs), maxBytes, signal }, read),
      ),
    sendAll: (method, all, signal) => {
      const calls = all.map((params) => ({ method, params }));
      const limits = { timeoutMs: sendTimeoutMs(patienceMs), maxBytes, signal };
      const answered = atPace(endpoint.memory.pace, signal, () => callTogether(endpoint, calls, limits)).catch(
        (error: unknown) => {
          throw isRefused(error) ? unanswered(endpoint, method, error) : error;
        },
      );
      return async (at) => {
        const answer = (await answered)[at] ?? unanswered(endpoint, method);
        if (answer instanceof NodeError) throw answer;
        return answer;
      };
    },
  };
}

/** The limits of a request. */
export interface RequestLimits {
  /** Time limit of the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Largest answer to read, in bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** One call and its limits. */
export interface JsonRpcCall extends RequestLimits {
  readonly method: string;
  /** A list or an object, as the method takes them. */
  readonly params: unknown;
}

/** Every request has its own connection, so one id is enough. */
const id = 1;

/**
 * Calls a JSON-RPC method once and reads its result.
 *
 * @throws RpcError if the node refuses; HttpStatusError for an HTTP error status; NodeError `NODE_UNREACHABLE`
 * if no answer comes in time, `NODE_BAD_RESPONSE` if it is too long, not JSON-RPC or unreadable, `NODE_REDIRECTED`;
 * the signal's reason when aborted.
 */
export async function callJsonRpc<T>(endpoint: HttpEndpoint, call: JsonRpcCall, read: ReadAnswer<T>): Promise<T> {
  const { method, params, timeoutMs, maxBytes, signal } = call;
  const response = await exchange(endpoint, {
    url: endpoint.at(""),
    title: method,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    timeoutMs,
    maxBytes,
    signal,
  });
  const { status, json } = response;
  const answer = isObject(json) ? json : undefined;
  // Some providers send the error object with an HTTP error status; status 429 may ask for a pause.
  const refusal = status === 429 ? undefined : findRpcError(endpoint, method, answer);
  if (refusal !== undefined) {
    endpoint.memory.hasAnswered = true;
    throw refusal;
  }
  if (status < 200 || status > 299) throw statusError(endpoint, response);
  if (answer?.["result"] === undefined || answer["id"] !== id) {
    const expected = "JSON-RPC; is it the RPC URL of the rollup?";
    throw new UnexpectedAnswerError(endpoint, { title: method, expected }, response);
  }
  endpoint.memory.hasAnswered = true;
  return read(new Answer({ endpoint: endpoint.shown, title: method, hide: endpoint.hide }, answer["result"]));
}

/**
 * Calls methods in one request, once.
 *
 * @throws RpcError, HttpStatusError or UnexpectedAnswerError if the endpoint refuses the request, perhaps because it does not take
 * several calls in one; otherwise like {@link callJsonRpc}.
 */
export async function callTogether(
  endpoint: HttpEndpoint,
  calls: readonly Pick<JsonRpcCall, "method" | "params">[],
  limits: RequestLimits,
): Promise<readonly OneOfMany[]> {
  const title = "a batch of calls";
  const response = await exchange(endpoint, {
    url: endpoint.at(""),
    title,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(calls.map(({ method, params }, at) => ({ jsonrpc: "2.0", id: at, method, params }))),
    ...limits,
  });
  const { status, json } = response;
  if (!Array.isArray(json)) {
    const refusal = status === 429 ? undefined : findRpcError(endpoint, title, isObject(json) ? json : undefined);
    if (refusal !== undefined) throw refusal;
    if (status < 200 || status > 299) throw statusError(endpoint, response);
    throw new UnexpectedAnswerError(endpoint, { title, expected: "a list of answers" }, response);
  }
  const answers: OneOfMany[] = calls.map(() => undefined);
  for (const entry of json) {
    const one: unknown = entry;
    if (!isObject(one)) continue;
    const { id: at, result } = one;
    const call = typeof at === "number" ? calls[at] : undefined;
    if (typeof at !== "number" || call === undefined) continue;
    const source = { endpoint: endpoint.shown, title: call.method, hide: endpoint.hide };
    answers[at] =
      findRpcError(endpoint, call.method, one) ?? (result === undefined ? undefined : new Answer(source, result));
  }
  if (answers.some((answer) => answer !== undefined)) endpoint.memory.hasAnswered = true;
  return answers;
}

/** True if the endpoint refused several calls as a whole. */
export function isRefused(error: unknown): error is RpcError | HttpStatusError | UnexpectedAnswerError {
  return error instanceof RpcError || error instanceof HttpStatusError || error instanceof UnexpectedAnswerError;
}

function unanswered({ shown }: HttpEndpoint, method: string, cause?: NodeError): NodeError {
  const why = cause === undefined ? "" : `: ${cause.shortMessage}`;
  return new NodeError(`${shown} did not answer one of several ${method} in one request${why}`, {
    code: "NODE_BAD_RESPONSE",
    ...(cause && { cause, details: cause.details ?? "", retryAfterMs: cause.retryAfterMs }),
  });
}

/** Returns the error in a node's answer, which gateways also write as a text; undefined if it has no error. */
export function findRpcError(
  { shown, hide }: HttpEndpoint,
  method: string,
  answer: Readonly<Record<string, unknown>> | undefined,
): RpcError | undefined {
  const error = answer?.["error"];
  if (typeof error !== "string" && !isObject(error)) return undefined;
  const { code, message, data }: RpcErrorAnswer = typeof error === "string" ? { message: error } : error;
  return new RpcError(shown, method, {
    code,
    message: typeof message === "string" ? hide(message) : undefined,
    data: hideIn(data, hide),
  });
}

/** Levels of an error's data that are kept: Hardhat sends two. */
const keptLevels = 8;

/** A value with the endpoint's secrets removed from its texts. */
function hideIn(data: unknown, hide: (text: string) => string, levels = keptLevels): unknown {
  if (typeof data === "string") return hide(data);
  if (typeof data !== "object" || data === null) return data;
  if (levels === 0) return undefined;
  if (Array.isArray(data)) return data.map((part) => hideIn(part, hide, levels - 1));
  return Object.fromEntries(Object.entries(data).map(([name, part]) => [name, hideIn(part, hide, levels - 1)]));
}

/** A node's JSON-RPC error object, as sent, with the endpoint's secrets removed from its texts. */
export interface RpcErrorAnswer {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

/** Errors of a request that no server has processed: parse error, invalid request, no such method, invalid params. */
const requestFaults: ReadonlySet<unknown> = new Set([-32700, -32600, -32601, -32602]);

/**
 * Texts of nodes if a contract failed a call, as opposed to a request that they could not serve: "Reverted" of minievm
 * (recorded; without its own code), the texts of go-ethereum's `core/vm/errors.go`, "VM Exception" and "Transaction
 * reverted" of Hardhat, "EVM error" of anvil, "BadInstruction" and the like of Nethermind.
 */
const failureTexts =
  /revert|invalid (opcode|jump|code|memory)|bad ?(instruction|jump)|out ?of ?gas|call depth|stack ?(under|over|limit)|write protection|vm (exception|execution)|evm error|execution (aborted|failed)|return data out of bounds|gas uint64 overflow/i;

/** Texts of a node that refuses because of the size of an answer, or of a range of blocks; not because of too many requests. */
const sizeTexts =
  /too (large|big|wide)|too many (results|logs|blocks)|response size|more than [\d,]+ (results|logs|events|blocks|bytes)|(block|[\d,]+) range/i;

/** Other texts after which the same request never succeeds: the node lacks the state or the method. */
const finalTexts =
  /missing trie node|pruned|state .*(not available|unavailable)|no state available|failed to load state|method .*(not|unavailable)|unauthorized/i;

/**
 * A node's JSON-RPC error. It is the contract's answer only with the data of a revert or a known text for one. Any other is the
 * node's: unless its code or text says that the request is at fault, the node refused to work, whatever its words, and may
 * answer the same request later.
 */
export class RpcError extends NodeError {
  static override readonly className: string = "RpcError";

  override readonly name: string = "RpcError";
  /** The error's code; undefined if the node sent none. */
  readonly rpcCode: number | undefined;
  /** The `data` of the node's error, such as the data of a revert. */
  readonly data: unknown;

  constructor(endpoint: string, method: string, { code, message, data }: RpcErrorAnswer) {
    const reason = reasonOf(data);
    const details = [message, reason].filter((part) => typeof part === "string" && part !== "").join(": ");
    super(`${endpoint} refused ${method}: ${(details || "no message").slice(0, 500)}`, {
      code: "NODE_ERROR",
      details: details || "no message",
      // CometBFT answers -32603 to everything that it refuses, with its reason.
      isTransient:
        isPassingText(details) ||
        !(requestFaults.has(code) || reason !== undefined || sizeTexts.test(details) || finalTexts.test(details)),
      // A call that failed in the contract will fail again; Hardhat answers -32603 for it too.
      isOfContract: isRevertData(data) || failureTexts.test(details),
    });
    this.rpcCode = typeof code === "number" ? code : undefined;
    this.data = data;
  }
}

/** CometBFT writes "Internal error" into the message and the reason into the data; the data of an EVM node is hex. */
function reasonOf(data: unknown): string | undefined {
  return typeof data === "string" && data !== "" && !data.startsWith("0x") ? data : undefined;
}

/** True for an encoded error: a selector, and any number of words. */
function isRevertData(data: unknown): boolean {
  return typeof data === "string" && /^0x[0-9a-f]{8}([0-9a-f]{64})*$/i.test(data);
}

/** True if an EVM node ran a call that failed in the contract, as opposed to a request that the node could not serve. */
export function isCallFailure(error: unknown): error is RpcError {
  return error instanceof RpcError && error.isOfContract;
}

/** True for a refusal that names the size of an answer or of a range of blocks: a smaller request may succeed. */
export function isOfSize({ details = "" }: NodeError): boolean {
  return sizeTexts.test(details);
}

/** Bytes of a transaction from which a gateway that refuses it may mean its size. */
const largeBytes = 16_384;

/** True if a gateway refused a transaction of this many bytes because of its size: with 413, or for a large one with 403 or -32600. */
export function isBodyRefused(error: unknown, bytes: number): error is NodeError {
  if (error instanceof HttpStatusError && error.status === 413) return true;
  if (bytes < largeBytes) return false;
  return error instanceof RpcError
    ? error.rpcCode === -32600
    : error instanceof HttpStatusError && error.status === 403;
}

/**
 * Returns the refusal of a large transaction whose connection a gateway closes, perhaps because of its size (kong 5980), once it is
 * certain that no node has it; undefined for any other failure.
 */
export function cutOffRefusal(
  doubt: NodeError,
  { hash, bytes }: { readonly hash: string; readonly bytes: Uint8Array },
): BroadcastError | undefined {
  if (bytes.length < largeBytes || !resets.test(doubt.details ?? "")) return undefined;
  const { advice: metaMessages } = doubt;
  const message = `the endpoint closes the connection of transaction ${hash}`;
  return new BroadcastError(message, { refusal: "too-large", metaMessages, cause: doubt });
}

/** True for an error that means that the node did not process the request. */
export function isRequestFault(error: unknown): boolean {
  return error instanceof RpcError && requestFaults.has(error.rpcCode) && !error.isTransient;
}
