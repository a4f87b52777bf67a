import type { Account, ErrorCode } from "@vipscore/core";
import type { FailureReason, Refusal } from "@vipscore/cosmos";
import { readErrorConstants, type ErrorConstant } from "./errorConstants.ts";
import { moduleName } from "./moduleStore.ts";

/**
 * The abort codes of the scoring module, its constants and their error codes. An abort code is a category of `0x1::error` times 65,536
 * plus the module's own number.
 */
const aborts: readonly (readonly [abort: number, name: string, code: ErrorCode, meaning: string])[] = [
  [0x1_0001, "ENOT_DEPLOYER", "PERMISSION_DENIED", "the signer is not a deployer"],
  [0x5_0001, "ENOT_PUBLISHER", "PERMISSION_DENIED", "the signer is not the module's publisher"],
  [0x1_0002, "EINSUFFICIENT_SCORE", "INSUFFICIENT_SCORE", "the score is smaller than the decrease"],
  [0x1_0003, "ESTAGE_NOT_FOUND", "STAGE_NOT_FOUND", "the stage does not exist"],
  [0x1_0004, "EDEPLOYER_EXISTS", "MEMBER_EXISTS", "the account is already a deployer"],
  [0x1_0005, "EDEPLOYER_NOT_FOUND", "MEMBER_NOT_FOUND", "the account is not a deployer"],
  [0x1_0006, "ELENGTH_MISMATCH", "LENGTH_MISMATCH", "the lists differ in length"],
  [0x1_0008, "ESTAGE_FINALIZED", "STAGE_FINALIZED", "the stage is finalized"],
  [0x1_0009, "ESTAGE_ZERO", "STAGE_ZERO", "the stage is 0"],
  [0x8_000a, "EINIT_STAGE_SET", "INIT_STAGE_SET", "the first stage is already set"],
  [0x2_000b, "ESCORE_OVERFLOW", "SCORE_OVERFLOW", "a score or the stage's total would exceed 2^64 - 1"],
  [0x3_000c, "EFINALIZE_MISMATCH", "FINALIZE_MISMATCH", "the stage has another total, number of scores or revision"],
  [0x5_000d, "ENOT_OWNER", "PERMISSION_DENIED", "the signer is not the contract's owner"],
  [0x5_000e, "ENOT_PENDING_OWNER", "PERMISSION_DENIED", "ownership was not offered to the signer"],
  [0x3_000f, "EUPGRADE_INCOMPLETE", "NOT_SUPPORTED", "the publisher has not completed the module's upgrade"],
  [0x5_0010, "ENOT_FINALIZER", "PERMISSION_DENIED", "the signer is not the finalizer"],
];
export const abortErrors = aborts.map(([abort, name, code, meaning]) => ({ abort, name, code, meaning }));

/**
 * Finds the reason in a node's text for a failed transaction, for example `failed to execute message; message index: 0: VM aborted:
 * location=000…0475::vip_score, code=65544`.
 *
 * @param constants Those of other modules, to name their aborts: the whole code, or what it holds beside its category.
 */
export function parseFailure({ log }: Pick<Refusal, "log">, constants: readonly ErrorConstant[] = []): FailureReason {
  // The VM's call stack follows.
  const [text = ""] = log.split(/\n?Backtrace:/);
  const status = /VM (?:error|failure): status (\w+)/.exec(text)?.[1];
  if (status === "OUT_OF_GAS") return { details: `out of gas: ${text}` };
  // The reference module fails so where ours aborts with its own error.
  if (status === "ARITHMETIC_ERROR") return { code: "SCORE_OVERFLOW", details: text };
  const [, location, module, digits = ""] = /VM aborted: location=([0-9a-f]+::(\w+)), code=(\d+)/.exec(text) ?? [];
  const abort = BigInt(digits);
  const shown = `abort 0x${abort.toString(16)} of ${module}`;
  const known = module === moduleName ? abortErrors.find((error) => BigInt(error.abort) === abort) : undefined;
  if (known !== undefined) return { code: known.code, details: `${shown}, ${known.name}: ${known.meaning}` };
  const own = constants.filter((constant) => constant.module === location);
  const named = own.find(({ value }) => value === abort) ?? own.find(({ value }) => value === abort % 65_536n);
  if (named !== undefined) return { details: `${shown}, ${named.text}` };
  return { details: text, ...(location === undefined ? {} : { isUnnamed: true }) };
}

/**
 * Returns the error constants in the sources of a Move package as `connectMove` takes them, without ours; none if the folder has no
 * sources.
 */
export async function readMoveErrors(folder: string, publisher: Account): Promise<readonly string[]> {
  const constants = await readErrorConstants(folder, publisher);
  const ours = new Set(abortErrors.map(({ abort }) => BigInt(abort)));
  const own = constants.filter(({ module, value }) => !module.endsWith(`::${moduleName}`) || !ours.has(value));
  return own.map(({ module, value, text }) => `${module} ${value} ${text}`);
}

/** Returns the constant that a line of {@link readMoveErrors} describes; nothing for another text. */
export function parseErrorConstant(line: string): readonly ErrorConstant[] {
  const [, module = "", value = "", text = ""] = /^(\S+) (\d+) (.+)$/.exec(line) ?? [];
  return text === "" ? [] : [{ module, value: BigInt(value), text }];
}
