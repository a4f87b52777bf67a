import { isInIntegerRange, type SourceValue } from "./policySource.ts";

/** Hex digits of a word. */
export const wordDigits = 64;

/**
 * Reads the value of a word, 64 hex digits in lower case; undefined if the word is not how Solidity writes a value of the type, or
 * if the value is beyond an integer's 38 digits.
 */
export type WordReader = (word: string) => SourceValue | undefined;

/** Returns the reader of an ABI type that is one word; undefined for any other type, such as `string` or a list. */
export function wordReader(type: string): WordReader | undefined {
  // As viem and the EVM, only the low 20 bytes.
  if (type === "address") return (word) => `0x${word.slice(24)}`;
  if (type === "bool") return readBool;
  const [, sign, bits = "256"] = /^(u?)int(\d*)$/.exec(type) ?? [];
  if (sign !== undefined) return integerReader(Number(bits === "" ? "256" : bits), sign === "");
  const [, bytes] = /^bytes(\d+)$/.exec(type) ?? [];
  if (bytes === undefined) return undefined;
  const digits = Number(bytes) * 2;
  return (word) => `0x${word.slice(0, digits)}`;
}

function readBool(word: string): boolean | undefined {
  if (!word.startsWith(zeros(63))) return undefined;
  const digit = word.charAt(63);
  return digit === "0" || digit === "1" ? digit === "1" : undefined;
}

/** Digits of the integers that a JavaScript number holds exactly; parsing these is faster. */
const numberDigits = 13;
const beforeNumber = zeros(wordDigits - numberDigits);

function integerReader(bits: number, isSigned: boolean): WordReader {
  const [min, max] = isSigned
    ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    : [0n, 2n ** BigInt(bits) - 1n];
  return (word) => {
    const isSmall = word.startsWith(beforeNumber);
    const plain = isSmall ? BigInt(Number.parseInt(word.slice(-numberDigits), 16)) : BigInt(`0x${word}`);
    const value = isSigned && !isSmall ? BigInt.asIntN(256, plain) : plain;
    return value >= min && value <= max && isInIntegerRange(value) ? value : undefined;
  };
}

function zeros(digits: number): string {
  return "0".repeat(digits);
}
