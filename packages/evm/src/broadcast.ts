import { bytesToHex, decodeErrorResult, isHex, numberToHex, type AbiItem, type Hex } from "viem";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import {
  BroadcastError,
  NodeError,
  VipError,
  type BroadcastRefusal,
  type ErrorCode,
  type SignedTransaction,
  type Simulation,
  type TransactionStatus,
} from "@vipscore/core";
import type { SendAll } from "@vipscore/core/engine";
import {
  HttpStatusError,
  isBodyRefused,
  isCallFailure,
  isObject,
  isRequestFault,
  RpcError,
  undefinedIf,
  type Answer,
  type JsonRpc,
} from "@vipscore/core/wire";

/**
 * Sends a signed transaction to the node, once. A refusal counts only after a lookup of the hash: a node that mines
 * instantly refuses a transaction that it has already mined, or reports the revert of one that it just mined. An error
 * whose text is not a refusal leaves the transaction in doubt.
 */
export function broadcast(
  rpc: JsonRpc,
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  const answer = rpc.send("eth_sendRawTransaction", [bytesToHex(transaction.bytes)], (hash) => hash, signal);
  return settle(rpc, transaction, answer, signal);
}

/** Returns how to send signed transactions in one request, each as in {@link broadcast}; undefined for a wallet. */
export function sendAllOf(rpc: JsonRpc): SendAll | undefined {
  const { sendAll } = rpc;
  if (sendAll === undefined) return undefined;
  return (transactions, signal) => {
    const params = transactions.map(({ bytes }) => [bytesToHex(bytes)]);
    const answerTo = sendAll("eth_sendRawTransaction", params, signal);
    return (transaction, at) => settle(rpc, transaction, answerTo(at), signal);
  };
}

async function settle(
  rpc: JsonRpc,
  transaction: SignedTransaction,
  answer: Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    const hash = await answer;
    if (hash.text().toLowerCase() !== transaction.hash) hash.unreadable(`${transaction.hash}, the transaction's hash`);
  } catch (error) {
    const { length } = transaction.bytes;
    if (error instanceof HttpStatusError && isBodyRefused(error, length))
      throw refusalOf(transaction, "too-large", error);
    if (!(error instanceof RpcError)) throw error;
    const status = await lookUp(rpc, transaction.hash, signal);
    if (status.state !== "unknown") return;
    const kind = classifyRpcError(error, length);
    if (kind === undefined) throw error;
    if (kind !== "known") throw refusalOf(transaction, kind, error);
    throw new NodeError(`${rpc.endpoint} says that it has transaction ${transaction.hash} but does not return it`, {
      code: "NODE_BAD_RESPONSE",
      cause: error,
    });
  }
}

/** Returns the meaning of an error for the transaction; undefined if the node may have accepted it anyway. */
function classifyRpcError(error: RpcError, bytes: number): RefusalKind | undefined {
  const said = classifyRefusal(error.details ?? "");
  if (said !== undefined) return said;
  if (isCallFailure(error)) return "execution";
  if (isBodyRefused(error, bytes)) return "too-large";
  return isRequestFault(error) ? "other" : undefined;
}

function refusalOf(
  transaction: SignedTransaction,
  refusal: BroadcastError["refusal"],
  cause: NodeError,
): BroadcastError {
  const what = `transaction ${transaction.hash} (sequence ${transaction.sequence}, gas limit ${transaction.gas})`;
  const details = cause.details ?? cause.shortMessage;
  return new BroadcastError(`the node refused ${what}: ${details.slice(0, 500)}`, { refusal, details, cause });
}

/** Reads the node's record of a transaction: its receipt, or else whether it is pending. */
export async function lookUp(
  rpc: JsonRpc,
  hash: string,
  signal: AbortSignal | undefined,
  errors: OwnErrors = [],
): Promise<TransactionStatus> {
  const receipt = await rpc.read("eth_getTransactionReceipt", [hash], readReceipt, signal);
  if (receipt === undefined) return rpc.read("eth_getTransactionByHash", [hash], readPending, signal);
  const reason = receipt.succeeded ? {} : await findFailureReason(rpc, hash, receipt, signal, errors);
  return { state: "included", ...receipt, ...reason };
}

function readReceipt(receipt: Answer) {
  if (receipt.value === null) return undefined;
  const height = receipt.field("blockNumber").quantity();
  const gasUsed = receipt.field("gasUsed").quantity();
  // Not a NodeError, which would be asked again: each receipt of such a node lacks it.
  if (receipt.optional("status") === undefined) {
    throw new VipError("the endpoint's receipt does not say whether the transaction succeeded: it has no status", {
      code: "NODE_BAD_RESPONSE",
      metaMessages: [
        "The transaction may be in a block. Try again with another endpoint: its hash is looked up first.",
      ],
    });
  }
  const price = receipt.optional("effectiveGasPrice");
  return {
    succeeded: receipt.field("status").quantity() === 1n,
    height,
    gasUsed,
    ...(price && { fee: gasUsed * price.quantity() }),
  };
}

function readPending(transaction: Answer): TransactionStatus {
  if (transaction.value === null) return { state: "unknown" };
  transaction.object();
  // It may be in a block without a receipt: between the two requests, or while the node still indexes the block.
  return { state: "pending" };
}

const codes: Readonly<Record<string, ErrorCode>> = {
  PermissionDenied: "PERMISSION_DENIED",
  OwnableUnauthorizedAccount: "PERMISSION_DENIED",
  ZeroStage: "STAGE_ZERO",
  StageNotFound: "STAGE_NOT_FOUND",
  StageFinalized: "STAGE_FINALIZED",
  AddrsAndAmountsLengthMistmatch: "LENGTH_MISMATCH",
  InsufficientScore: "INSUFFICIENT_SCORE",
  ScoreOverflow: "SCORE_OVERFLOW",
  TotalOverflow: "SCORE_OVERFLOW",
  InvalidAddress: "INVALID_ADDRESS",
  LastMember: "LAST_MEMBER",
  FinalizeMismatch: "FINALIZE_MISMATCH",
  RevisionMismatch: "FINALIZE_MISMATCH",
};

/** The errors that a contract has beyond ours. */
export type OwnErrors = readonly AbiItem[];

/** Why a transaction failed, as far as the node reports it. */
export interface FailureReason {
  readonly code?: ErrorCode;
  readonly details?: string;
  /** An error of the contract, of which only the selector is known. */
  readonly isUnnamed?: boolean;
}

/**
 * Finds out why an included transaction failed. A receipt does not say, so the call is repeated on the state before its
 * block. minievm returns no revert data; the reason then stays unknown.
 */
export async function findFailureReason(
  rpc: JsonRpc,
  hash: string,
  { height, gasUsed }: { readonly height: bigint; readonly gasUsed: bigint },
  signal: AbortSignal | undefined,
  errors: OwnErrors = [],
): Promise<FailureReason> {
  const call = await rpc.read("eth_getTransactionByHash", [hash], readCall, signal);
  if (call === undefined) return {};
  if (call.gas === gasUsed) return { details: `out of gas: used its whole limit of ${gasUsed}` };
  const params = [{ ...call, gas: numberToHex(call.gas) }, numberToHex(height - 1n)];
  const run = runCall(
    rpc.read("eth_call", params, () => {}, signal),
    errors,
  );
  // After any other refusal, such as a pruned state, the reason stays unknown.
  return (await undefinedIf((error) => error instanceof RpcError, run)) ?? {};
}

/** Returns why the contract fails a call; undefined if it succeeds. */
async function runCall(asked: Promise<void>, errors: OwnErrors): Promise<FailureReason | undefined> {
  try {
    await asked;
    return undefined;
  } catch (error) {
    if (isCallFailure(error)) return decodeFailure(error, errors);
    throw error;
  }
}

/** Runs a call on the newest state; see `simulate` of the port. Asks once: nodes that limit the gas of calls refuse large ones. */
export async function simulate(
  rpc: JsonRpc,
  call: { readonly from: string; readonly to?: string; readonly data: Hex },
  signal: AbortSignal | undefined,
  errors: OwnErrors,
): Promise<Simulation> {
  try {
    const reason = await runCall(
      rpc.send("eth_call", [call, "latest"], () => {}, signal),
      errors,
    );
    if (reason === undefined) return { state: "accepted" };
    return /out ?of ?gas/i.test(reason.details ?? "") ? { state: "unknown" } : { state: "refused", ...reason };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return { state: "unknown" };
  }
}

/** Returns the call that a transaction makes; undefined if the node no longer has the transaction. */
function readCall(answer: Answer) {
  if (answer.value === null) return undefined;
  return {
    from: answer.field("from").hex(),
    to: answer.optional("to")?.hex(),
    data: answer.field("input").hex(),
    gas: answer.field("gas").quantity(),
  };
}

function decodeFailure({ data, details }: RpcError, errors: OwnErrors): FailureReason {
  const revert = findRevert(data);
  const named = revert === undefined ? undefined : decodeRevert(revert, errors);
  if (named !== undefined || details === undefined) return named ?? {};
  if (revert === undefined || revert === "0x") return { details };
  const selector = revert.slice(0, 10);
  // geth does not name it; Hardhat shows all data.
  const shown = details.replaceAll(revert, selector);
  return { details: shown.includes(selector) ? shown : `${shown}: ${selector}`, isUnnamed: true };
}

/** Nodes put revert data in `data` itself (geth, anvil) or one or two levels below (Hardhat, wallets). */
function findRevert(data: unknown, depth = 0): Hex | undefined {
  if (isHex(data)) return data;
  return isObject(data) && depth < 2 ? findRevert(data["data"], depth + 1) : undefined;
}

/** The contract's error in revert data, as its code and in Solidity's notation; undefined for any other data. */
function decodeRevert(data: Hex, errors: OwnErrors): FailureReason | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: [...vipScoreAbi, ...errors], data });
    const details = `${errorName}(${(args ?? []).join(", ")})`;
    const code = codes[errorName];
    return code === undefined ? { details } : { code, details };
  } catch {
    return undefined;
  }
}

/** Meaning of a node's refusal text. `known` is not a refusal: the node already has this transaction. */
export type RefusalKind = BroadcastRefusal | "known";

/**
 * Parts of the texts with which nodes refuse a transaction; the first match counts. Error codes do not distinguish them:
 * geth, Hardhat and minievm answer -32000 to nearly all.
 * Sources: Hardhat 3.17 and anvil 1.7.1 as seen in this package's tests; minievm v1.2.18, whose sequence mismatch is
 * recorded, and otherwise the errors of Cosmos SDK 0.50 (`types/errors`) and CometBFT 0.38 (`mempool/errors.go`)
 * that it builds on; geth `core/error.go` and `core/txpool/errors.go`.
 */
const texts: readonly (readonly [RefusalKind, RegExp])[] = [
  // geth, "transaction already imported" of anvil, Hardhat, CometBFT, Cosmos SDK
  ["known", /already known|already imported|known transaction|already exists in cache|already in mempool/i],
  // geth and anvil, Hardhat, minievm
  ["sequence", /nonce (is )?too (low|high)|account sequence/i],
  // another transaction with the same sequence is pending at the node
  ["sequence", /replacement transaction underpriced/i],
  // Hardhat says "doesn't have enough funds"; "insufficient fee" of Cosmos means a price too low and is not one of these
  ["funds", /insufficient (funds|balance)|enough funds/i],
  // minievm (recorded): an account that never received anything, also where gas is free
  ["funds", /account \S+ does not exist: unknown address/i],
  // gas: Hardhat "exceeds transaction gas cap", "exceeds block gas limit"; geth "gas limit too high"; Cosmos "block max gas"
  [
    "too-large",
    /exceeds (the )?(block|transaction|max|allowed|configured).{0,20}gas|gas (limit )?(is )?too high|greater than the cap/i,
  ],
  // bytes: geth, CometBFT, proxies
  [
    "too-large",
    /oversized data|(tx|transaction|request|body|entity|content)( size)? (is )?too (large|big)|exceeds max(imum)? (tx )?size/i,
  ],
  ["execution", /revert|invalid opcode|vm exception/i],
  // price: Hardhat; geth and anvil "max fee per gas less than block base fee", "transaction underpriced"; Cosmos SDK
  ["fee", /fee ?per ?gas.{0,40} (is )?(too low|less than)|underpriced|insufficient fee|fee cap less than/i],
  // permanent: gas below the cost of the bytes, a transaction of another chain or type, an invalid signature
  ["other", /intrinsic gas too low|requires at least \d+ gas|chain.?id|transaction type|invalid sender|signature/i],
  ["other", /mempool is full|txpool is full|out of gas|unauthorized|tx parse error/i],
];

/** Classifies a node's error by its text; undefined if the text does not say whether the node accepted the transaction. */
export function classifyRefusal(text: string): RefusalKind | undefined {
  return texts.find(([, pattern]) => pattern.test(text))?.[0];
}
