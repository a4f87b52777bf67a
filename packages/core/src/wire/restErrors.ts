import { NodeError } from "../errors/nodeError.ts";
import { HttpStatusError } from "./exchange.ts";
import { isPassingText } from "./nodeBehind.ts";

/** gRPC status codes that a node returns with its text (google.golang.org/grpc/codes). */
const grpcNotFound = 5;
const grpcUnimplemented = 12;
const passingGrpcCodes: ReadonlySet<number> = new Set([4, 8, 14]);

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
      mayPass: passingGrpcCodes.has(answer.grpcCode) || isPassingText(answer.message),
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
 * const account = await absentIf(isNotFound, rest.get(path, readAccount));
 */
export async function absentIf<T>(isAbsence: (error: unknown) => boolean, request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}
