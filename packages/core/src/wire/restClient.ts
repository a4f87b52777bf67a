import { NodeError } from "../errors/vipError.ts";
import { patienceMs as defaults, sendTimeoutMs } from "../time/patience.ts";
import { Answer, isObject, UnreadableAnswer, type ReadAnswer } from "./answer.ts";
import { parseEndpoint, type HttpEndpoint } from "./endpoint.ts";
import {
  exchange,
  HttpStatusError,
  isHalfAnswer,
  statusError,
  UnexpectedAnswerError,
  type HttpAnswer,
} from "./exchange.ts";
import { atPace, isPassingText, retryRead } from "./retryRead.ts";

/** Largest answer to read, in bytes. The receipt of a batch of 6,000 scores with an event each has some 5 MB. */
const maxAnswerBytes = 67_108_864;

/** The HTTP statuses of a node's permanent errors (grpc-gateway, `runtime/errors.go`). */
const nodeStatuses: ReadonlySet<number> = new Set([400, 404, 409, 501]);

/** Options of one request. */
export interface RestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Read the state after this block. Default: the newest block. */
  readonly height?: bigint | undefined;
  readonly query?: Readonly<Record<string, string>>;
}

/** Options of a REST connection. */
export interface OpenRestOptions {
  /** Name of the URL, for messages. Default: `REST URL`. */
  readonly title?: string;
  /** Maximum wait for failures that may pass, in milliseconds. Default: 30,000. */
  readonly patienceMs?: number;
}

/** The REST interface of a Cosmos SDK node: Initia's L1 and its rollups. */
export interface RestClient {
  /** The URL that requests go to, without credentials; for messages. */
  readonly endpoint: string;
  /**
   * Gets a path and reads its answer, a JSON object; retried as in {@link retryRead}.
   *
   * @throws RestError if the node refuses; NodeError `NODE_UNREACHABLE` or `NODE_BAD_RESPONSE` if it does not answer
   * or answers something else; the signal's reason when aborted.
   */
  get<T>(path: string, read: ReadAnswer<T>, options?: RestOptions): Promise<T>;
  /** Posts a body; otherwise like {@link RestClient.get}. */
  query<T>(path: string, body: object, read: ReadAnswer<T>, options?: RestOptions): Promise<T>;
  /** Sends once, for a transaction whose outcome is unknown if no answer comes within a third of the patience. */
  send<T>(path: string, body: object, read: ReadAnswer<T>, options?: RestOptions): Promise<T>;
  /** Sends several bodies in one request, which the node takes in order; see `sendAll` of JsonRpc. Only over RPC. */
  readonly sendAll?:
    ((path: string, bodies: readonly object[], options?: RestOptions) => (at: number) => Promise<Answer>) | undefined;
}

/**
 * Connects to a REST endpoint.
 *
 * @throws InputError `CONFIG_INVALID` if the text is not an http or https URL.
 */
export function openRest(restUrl: string, options: OpenRestOptions = {}): RestClient {
  const { title = "REST URL", patienceMs = defaults.outage } = options;
  const endpoint = parseEndpoint(restUrl, title);
  const attempt = async <T>(request: Omit<Request, "title">, read: ReadAnswer<T>): Promise<T> => {
    const { path } = request;
    const answer = await requestJson(endpoint, { ...request, title });
    return read(new Answer({ endpoint: endpoint.shown, title: path, hide: endpoint.hide }, answer));
  };
  const patiently = <T>(request: Omit<Request, "title" | "timeoutMs">, read: ReadAnswer<T>): Promise<T> =>
    retryRead((timeoutMs) => attempt({ ...request, timeoutMs }, read), {
      endpoint: endpoint.shown,
      signal: request.options.signal,
      patienceMs,
      pace: endpoint.memory.pace,
    });
  return {
    endpoint: endpoint.shown,
    get: (path, read, how = {}) => patiently({ path, options: how }, read),
    query: (path, body, read, how = {}) => patiently({ path, options: how, body }, read),
    send: (path, body, read, how = {}) =>
      atPace(endpoint.memory.pace, how.signal, () =>
        attempt({ path, options: how, body, timeoutMs: sendTimeoutMs(patienceMs) }, read),
      ),
  };
}

interface Request {
  readonly path: string;
  readonly title: string;
  readonly options: RestOptions;
  readonly timeoutMs: number;
  readonly body?: object;
}

async function requestJson(
  endpoint: HttpEndpoint,
  { path, title, options, timeoutMs, body }: Request,
): Promise<unknown> {
  const { signal, height, query } = options;
  const headers: Record<string, string> = {};
  if (height !== undefined) headers["x-cosmos-block-height"] = height.toString();
  if (body !== undefined) headers["content-type"] = "application/json";
  const answer = await exchange(endpoint, {
    url: endpoint.at(path, query),
    title: path,
    method: body === undefined ? "GET" : "POST",
    headers,
    body: body && JSON.stringify(body),
    timeoutMs,
    maxBytes: maxAnswerBytes,
    signal,
  });
  return readAnswer(endpoint, { path, title }, answer);
}

function readAnswer(
  endpoint: HttpEndpoint,
  { path, title }: Pick<Request, "path" | "title">,
  answer: HttpAnswer,
): unknown {
  const { shown, hide, memory } = endpoint;
  const { status, text, json, retryAfterMs } = answer;
  const succeeded = status >= 200 && status <= 299;
  // Status 429 is a rate limit with any body.
  if (status !== 429 && isObject(json)) {
    const { code: grpcCode, message } = json;
    // Gateways refuse with status 200, too.
    const isRefusal = typeof grpcCode === "number" && grpcCode !== 0 && typeof message === "string";
    if (succeeded || isRefusal) memory.hasAnswered = true;
    if (isRefusal) throw new RestError(shown, path, { status, grpcCode, message: hide(message), retryAfterMs });
    if (succeeded) return json;
  }
  // A node's error that lost its fields on the way; a service that never spoke this protocol has its own error format.
  if (memory.hasAnswered && nodeStatuses.has(status) && isObject(json)) {
    const what = `it has HTTP status ${status} and no code or message`;
    throw new UnreadableAnswer({ endpoint: shown, title: path, hide }, what, text);
  }
  // Also for a missing row or transaction with status 404.
  const isHalf = status !== 429 && isHalfAnswer(answer);
  if (!succeeded && !isHalf) throw statusError(endpoint, answer);
  throw new UnexpectedAnswerError(endpoint, { title: path, expected: `with JSON; is it the ${title}?` }, answer);
}

/** gRPC status codes that a node returns with its text (google.golang.org/grpc/codes). */
const grpcNotFound = 5;
const grpcUnimplemented = 12;
const passingGrpcCodes: ReadonlySet<number> = new Set([4, 8, 14]);
/** The highest; a code above it is a gateway's. */
const lastGrpcCode = 16;

/** A node's error answer: it understood the request and refused it. */
export class RestError extends NodeError {
  static override readonly className: string = "RestError";

  override readonly name: string = "RestError";
  /** The HTTP status. */
  readonly status: number;
  /** The gRPC status code in the answer. */
  readonly grpcCode: number;

  constructor(
    endpoint: string,
    path: string,
    answer: { status: number; grpcCode: number; message: string; retryAfterMs?: number },
  ) {
    super(`${endpoint} refused ${path}: ${answer.message.slice(0, 500)}`, {
      code: "NODE_ERROR",
      details: answer.message,
      retryAfterMs: answer.retryAfterMs ?? 0,
      // An overload, or an error without a reason.
      isTransient:
        passingGrpcCodes.has(answer.grpcCode) || answer.grpcCode > lastGrpcCode || isPassingText(answer.message),
    });
    this.status = answer.status;
    this.grpcCode = answer.grpcCode;
  }
}

/**
 * True if the node reports that the item does not exist. For state it answers status 500 with the text of the
 * store (recorded on minimove), for accounts and transactions status 404 with gRPC code 5.
 */
export function isNotFound(error: unknown): error is RestError {
  if (!(error instanceof RestError)) return false;
  return error.grpcCode === grpcNotFound || /collections: not found/.test(error.details ?? "");
}

/** True if the endpoint does not have the route. */
export function isMissingRoute(error: unknown): boolean {
  if (error instanceof RestError) return error.grpcCode === grpcUnimplemented;
  return error instanceof HttpStatusError && (error.status === 404 || error.status === 405 || error.status === 501);
}

/**
 * Returns the answer to a request, or undefined if it fails with an error that means that the item does not exist.
 *
 * @example
 * const account = await undefinedIf(isNotFound, rest.get(path, readAccount));
 */
export async function undefinedIf<T>(
  isAbsence: (error: unknown) => boolean,
  request: Promise<T>,
): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}
