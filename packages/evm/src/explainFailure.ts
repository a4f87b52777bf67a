import type { ErrorCode } from "@vipscore/core";
import { decodeErrorResult, numberToHex, type Hex } from "viem";
import { isCallFailure, RpcError, type JsonRpc } from "./rpc/jsonRpc.ts";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

/** The contract's errors and the codes they have everywhere else. */
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

/** Why a transaction failed, as far as the node lets one see. */
export interface FailureReason {
  readonly code?: ErrorCode;
  readonly details?: string;
}

/**
 * Finds out why an included transaction failed: a receipt does not say it, so the call is run again on the state
 * before its block. minievm gives no revert data, and then the reason stays open.
 */
export async function explainFailure(
  rpc: JsonRpc,
  transaction: Readonly<Record<string, unknown>> | undefined,
  { height, gasUsed }: { readonly height: bigint; readonly gasUsed: bigint },
  signal: AbortSignal | undefined,
): Promise<FailureReason> {
  if (transaction === undefined) return {};
  const { from, to, input: data, gas } = transaction;
  if (typeof gas === "string" && BigInt(gas) === gasUsed)
    return { details: `out of gas: all of its limit of ${gasUsed} was used` };
  try {
    const call = [{ from, to, data, gas }, numberToHex(height - 1n)];
    await rpc.request("eth_call", call, { signal, attempts: "read" });
  } catch (error) {
    if (isCallFailure(error)) return decodeFailure(error);
    // Any other refusal (an old state that the node no longer has) leaves the reason open.
    if (!(error instanceof RpcError)) throw error;
  }
  return {};
}

function decodeFailure(error: RpcError): FailureReason {
  const named = error.data === undefined ? undefined : decodeRevert(error.data);
  return named ?? (error.details === undefined ? {} : { details: error.details });
}

/** The contract's error in revert data, as its code and as Solidity would write it; undefined for any other data. */
export function decodeRevert(data: Hex): FailureReason | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: vipScoreAbi, data });
    const details = `${errorName}(${(args ?? []).join(", ")})`;
    const code = codes[errorName];
    return code === undefined ? { details } : { code, details };
  } catch {
    return undefined;
  }
}
