import { decodeErrorResult, isHex, numberToHex, type Hex } from "viem";
import type { ErrorCode } from "@vipscore/core";
import { isCallFailure, isObject, RpcError, type Answer, type JsonRpc } from "@vipscore/core/wire";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

/** The contract's errors and their codes. */
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

/** Why a transaction failed, as far as the node reports it. */
export interface FailureReason {
  readonly code?: ErrorCode;
  readonly details?: string;
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
): Promise<FailureReason> {
  const call = await rpc.read("eth_getTransactionByHash", [hash], readCall, signal);
  if (call === undefined) return {};
  if (call.gas === gasUsed) return { details: `out of gas: used its whole limit of ${gasUsed}` };
  try {
    const params = [{ ...call, gas: numberToHex(call.gas) }, numberToHex(height - 1n)];
    await rpc.read("eth_call", params, () => {}, signal);
  } catch (error) {
    if (isCallFailure(error)) return decodeFailure(error);
    // After any other refusal, such as a pruned state, the reason stays unknown.
    if (!(error instanceof RpcError)) throw error;
  }
  return {};
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

function decodeFailure({ data, details }: RpcError): FailureReason {
  const revert = findRevert(data);
  const named = revert === undefined ? undefined : decodeRevert(revert);
  return named ?? (details === undefined ? {} : { details });
}

/** Nodes put revert data in `data` itself (geth, anvil) or one or two levels below (Hardhat, wallets). */
function findRevert(data: unknown, depth = 0): Hex | undefined {
  if (isHex(data)) return data;
  return isObject(data) && depth < 2 ? findRevert(data["data"], depth + 1) : undefined;
}

/** The contract's error in revert data, as its code and in Solidity's notation; undefined for any other data. */
function decodeRevert(data: Hex): FailureReason | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: vipScoreAbi, data });
    const details = `${errorName}(${(args ?? []).join(", ")})`;
    const code = codes[errorName];
    return code === undefined ? { details } : { code, details };
  } catch {
    return undefined;
  }
}
