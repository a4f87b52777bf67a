import { InputError, quoteText } from "./errors/inputError.ts";

declare const stageBrand: unique symbol;

/** A VIP stage number, 1 to 2^64 - 1. Made by {@link stage}. */
export type Stage = bigint & { readonly [stageBrand]: true };

/**
 * Makes a stage number from a bigint, a safe integer or decimal text.
 *
 * @throws InputError `STAGE_ZERO` for 0, `INPUT_INVALID` for anything that is not an integer from 1 to 2^64 - 1.
 * @example
 * const current = stage(12n);
 */
export function stage(value: bigint | number | string): Stage {
  const text = String(value);
  const isExact = typeof value !== "number" || Number.isSafeInteger(value);
  if (!isExact || !/^\d{1,20}$/.test(text) || BigInt(text) > u64Max) {
    throw new InputError(`stage ${quoteText(text)} is not an integer from 1 to ${u64Max}`);
  }
  const parsed = BigInt(text);
  if (parsed === 0n) throw new InputError("stage 0 does not exist: stages count from 1", { code: "STAGE_ZERO" });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checks above are what the brand stands for
  return parsed as Stage;
}

/** The largest score, stage number and stage total: 2^64 - 1. */
export const u64Max = 18_446_744_073_709_551_615n;

/** A score, 0 to 2^64 - 1. The contracts hold it as u64; it never passes through a JavaScript number. */
export type Score = bigint;
