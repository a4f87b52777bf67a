import { NodeError, type ErrorCode, type SignedTransaction, type TransactionStatus } from "@vipscore/core";
import { pollUntil } from "@vipscore/core/engine";
import {
  isRequestFault,
  patienceMs,
  RpcError,
  undefinedIf,
  type Answer,
  type JsonRpc,
  type ReadAnswer,
} from "@vipscore/core/wire";
import { classifyRefusal, settleBroadcast, type NodeRefusal } from "@vipscore/cosmos";

/** Sends a signed transaction to the node, once, and settles its answer; see {@link settleBroadcast}. */
export function broadcast(
  comet: JsonRpc,
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  const tx = Buffer.from(transaction.bytes).toString("base64");
  const read = (answer: Answer): NodeRefusal | undefined => readRefusal(answer, transaction);
  return settleBroadcast(transaction, comet.send("broadcast_tx_sync", { tx }, read, signal), {
    isRefusal: isRequestFault,
    lookUp: (hash) => lookUp(comet, hash, signal),
  });
}

/** Why the node did not accept a transaction; undefined if it did. */
function readRefusal(answer: Answer, { hash }: SignedTransaction): NodeRefusal | undefined {
  const outcome = readOutcome(answer);
  const field = answer.field("hash");
  const isSame = field.text().toUpperCase() === hash;
  const { code, codespace, log } = outcome;
  if (code === 0) return isSame ? undefined : field.unreadable(`${hash}, which was sent`);
  return { kind: classifyRefusal(outcome), details: `${codespace} code ${code}: ${log}` };
}

/** Looks up a transaction by its hash; undefined if it is not in a block. */
export function findTransaction<T>(
  comet: JsonRpc,
  hash: string,
  read: ReadAnswer<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  const asked = comet.read("tx", { hash: Buffer.from(hash, "hex").toString("base64") }, read, signal);
  return undefinedIf(isUnknownTransaction, asked);
}

function isUnknownTransaction(error: unknown): boolean {
  return error instanceof RpcError && /tx \([0-9A-F]+\) not found/i.test(error.details ?? "");
}

/**
 * Looks up a transaction: in a block or unknown.
 *
 * Pending transactions cannot be looked up by hash, so a transaction is unknown, never pending, until it is in a block.
 * That is safe: after a while the engine sends the same bytes again, and the node answers that it already has them. Only
 * the sequence decides that a transaction is gone.
 */
export async function lookUp(
  comet: JsonRpc,
  hash: string,
  signal: AbortSignal | undefined,
): Promise<TransactionStatus> {
  return (await findTransaction(comet, hash, readStatus, signal)) ?? { state: "unknown" };
}

function readStatus(answer: Answer): TransactionStatus {
  const result = answer.field("tx_result");
  const gasUsed = result.optional("gas_used")?.u64() ?? 0n;
  const included = { state: "included", height: answer.field("height").u64(), gasUsed } as const;
  const outcome = readOutcome(result);
  if (outcome.code === 0) return { ...included, succeeded: true };
  return { ...included, succeeded: false, ...parseFailure(outcome) };
}

/** Reads the outcome of a transaction: code 0, or a failure. Zero and empty fields may be absent. */
export function readOutcome(result: Answer): Failure {
  return {
    code: result.optional("code")?.integer() ?? 0,
    codespace: result.optional("codespace")?.text() ?? "",
    log: result.optional("log")?.text() ?? "",
  };
}

/** The errors of our contract, which start with the name of their variant, and their codes. */
export const contractErrors: readonly { readonly variant: string; readonly code: ErrorCode }[] = [
  { variant: "PermissionDenied", code: "PERMISSION_DENIED" },
  { variant: "NotOwner", code: "PERMISSION_DENIED" },
  { variant: "OwnershipNotOffered", code: "PERMISSION_DENIED" },
  { variant: "StageZero", code: "STAGE_ZERO" },
  { variant: "StageNotFound", code: "STAGE_NOT_FOUND" },
  { variant: "StageFinalized", code: "STAGE_FINALIZED" },
  { variant: "InsufficientScore", code: "INSUFFICIENT_SCORE" },
  { variant: "ScoreOverflow", code: "SCORE_OVERFLOW" },
  { variant: "TotalOverflow", code: "SCORE_OVERFLOW" },
  { variant: "InvalidAddress", code: "INVALID_ADDRESS" },
  { variant: "LastMember", code: "LAST_MEMBER" },
  { variant: "NoMembers", code: "LAST_MEMBER" },
  { variant: "FinalizeMismatch", code: "FINALIZE_MISMATCH" },
];

/** The texts of the published interface: all that a reference contract has, often inside the text of a trap. */
export const publishedTexts: readonly { readonly text: string; readonly code: ErrorCode }[] = [
  { text: "Address is not allowed", code: "PERMISSION_DENIED" },
  { text: "Stage can not be zero", code: "STAGE_ZERO" },
  { text: "Stage not found", code: "STAGE_NOT_FOUND" },
  { text: "Stage finalized", code: "STAGE_FINALIZED" },
  { text: "Insufficient score", code: "INSUFFICIENT_SCORE" },
  // A decrease for an account without a score.
  { text: "User score not found", code: "INSUFFICIENT_SCORE" },
];

/** `ErrUnauthorized` of the Cosmos SDK 0.50, `types/errors/errors.go`. */
const unauthorizedCode = 4;

/** Why a transaction failed, as far as the chain's answer says. */
export interface FailureReason {
  readonly code?: ErrorCode;
  /** The codespace, the code and the text of the chain. */
  readonly details: string;
}

/** The chain's answer for a failed transaction. */
export interface Failure {
  readonly codespace: string;
  readonly code: number;
  readonly log: string;
}

/**
 * Parses the chain's answer for a failed transaction, for example codespace `wasm`, code 5, `failed to execute message;
 * message index: 0: StageFinalized: Stage finalized: 7: execute wasm contract failed`.
 */
export function parseFailure({ codespace, code: number, log }: Failure): FailureReason {
  const details = `${codespace} code ${number}: ${log}`;
  const [head, text = ""] = /^failed to execute message; message index: \d+: (.*)$/s.exec(log) ?? [];
  // The chain's own check of who may store code or migrate.
  if (head !== undefined && codespace === "sdk" && number === unauthorizedCode)
    return { code: "PERMISSION_DENIED", details };
  if (codespace !== "wasm") return { details };
  const variant = /^(\w+): /.exec(text)?.[1];
  const known =
    contractErrors.find((error) => error.variant === variant) ??
    // Elsewhere the text may come from a caller, as part of an address.
    (/^(Generic error|Error calling the VM): /.test(text)
      ? publishedTexts.find((error) => text.includes(error.text))
      : undefined);
  return known === undefined ? { details } : { code: known.code, details };
}

/**
 * Reads a value from an event of an included transaction.
 *
 * @throws NodeError `NODE_BAD_RESPONSE` if it does not have the event.
 */
export async function eventValue(
  comet: JsonRpc,
  hash: string,
  { type, key }: { readonly type: string; readonly key: string },
  signal: AbortSignal | undefined,
): Promise<string> {
  const read = (answer: Answer): string => {
    const events = answer.field("tx_result").field("events");
    const event = events.list().find((each) => each.field("type").text() === type);
    const attributes = event?.field("attributes").list() ?? [];
    const found = attributes.find((attribute) => attribute.field("key").text() === key);
    return found?.field("value").text() ?? events.unreadable(`a list with ${key} of ${type}`);
  };
  const find = (): Promise<string | undefined> => findTransaction(comet, hash, read, signal);
  // The answering node may be behind the one that returned the transaction first.
  const value = await pollUntil(find, { timeoutMs: patienceMs.behind, signal });
  if (value !== undefined) return value;
  throw new NodeError(`${comet.endpoint} does not have transaction ${hash}, which was in a block`, {
    code: "NODE_BAD_RESPONSE",
  });
}
