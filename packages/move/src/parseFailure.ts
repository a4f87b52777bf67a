import type { ErrorCode } from "@vipscore/core";
import type { FailureReason, Refusal } from "@vipscore/cosmos";
import { moduleName } from "./moduleStore.ts";

/**
 * The abort codes of the scoring module and their error codes. An abort code is a category of `0x1::error` times 65,536
 * plus the module's own number.
 */
export const abortErrors: readonly {
  readonly abort: number;
  readonly code: ErrorCode;
  readonly meaning: string;
}[] = [
  { abort: 0x1_0001, code: "PERMISSION_DENIED", meaning: "the signer is not a deployer" },
  { abort: 0x5_0001, code: "PERMISSION_DENIED", meaning: "the signer is not the module's publisher" },
  { abort: 0x1_0002, code: "INSUFFICIENT_SCORE", meaning: "the score is smaller than the decrease" },
  { abort: 0x1_0003, code: "STAGE_NOT_FOUND", meaning: "the stage does not exist" },
  { abort: 0x1_0004, code: "MEMBER_EXISTS", meaning: "the account is already a deployer" },
  { abort: 0x1_0005, code: "MEMBER_NOT_FOUND", meaning: "the account is not a deployer" },
  { abort: 0x1_0006, code: "LENGTH_MISMATCH", meaning: "the lists differ in length" },
  { abort: 0x1_0008, code: "STAGE_FINALIZED", meaning: "the stage is finalized" },
  { abort: 0x1_0009, code: "STAGE_ZERO", meaning: "the stage is 0" },
  { abort: 0x8_000a, code: "INIT_STAGE_SET", meaning: "the first stage is already set" },
  { abort: 0x2_000b, code: "SCORE_OVERFLOW", meaning: "a score or the stage's total would exceed 2^64 - 1" },
  { abort: 0x3_000c, code: "FINALIZE_MISMATCH", meaning: "the stage has another total, number of scores or revision" },
  { abort: 0x5_000d, code: "PERMISSION_DENIED", meaning: "the signer is not the contract's owner" },
  { abort: 0x5_000e, code: "PERMISSION_DENIED", meaning: "ownership was not offered to the signer" },
  {
    abort: 0x3_000f,
    code: "NOT_SUPPORTED",
    meaning: "the publisher has not completed the module's upgrade",
  },
  { abort: 0x5_0010, code: "PERMISSION_DENIED", meaning: "the signer is not the finalizer" },
];

/**
 * Finds the reason in a node's text for a failed transaction, for example `failed to execute message; message index: 0: VM aborted:
 * location=000…0475::vip_score, code=65544`.
 */
export function parseFailure({ log }: Pick<Refusal, "log">): FailureReason {
  // The VM's call stack follows.
  const [text = ""] = log.split(/\n?Backtrace:/);
  const status = /VM (?:error|failure): status (\w+)/.exec(text)?.[1];
  if (status === "OUT_OF_GAS") return { details: `out of gas: ${text}` };
  // The reference module fails so where ours aborts with its own error.
  if (status === "ARITHMETIC_ERROR") return { code: "SCORE_OVERFLOW", details: text };
  const [, module, digits] = /VM aborted: location=[0-9a-f]+::(\w+), code=(\d+)/.exec(text) ?? [];
  const abort = Number(digits);
  const known = module === moduleName ? abortErrors.find((error) => error.abort === abort) : undefined;
  if (known === undefined) return { details: text };
  return { code: known.code, details: `abort 0x${abort.toString(16)} of ${moduleName}: ${known.meaning}` };
}
