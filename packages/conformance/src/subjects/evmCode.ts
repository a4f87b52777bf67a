import type { Hex } from "viem";
import type { Account } from "@vipscore/core";

/** What the code of an EVM contract holds. */
export interface EvmCode {
  /** Constants of four bytes, of which some are selectors. */
  readonly selectors: readonly Hex[];
  /** Constants that may be amounts. */
  readonly numbers: readonly bigint[];
  /** Constants that may be accounts. */
  readonly accounts: readonly Account[];
  /** A line for each instruction that a person must read. */
  readonly toRead: readonly string[];
}

const push0 = 0x5f;
const push32 = 0x7f;
const jumpDestination = 0x5b;
/** `Error(string)` and `Panic(uint256)`, which every contract reverts with. */
const builtInErrors = new Set<Hex>(["0x08c379a0", "0x4e487b71"]);

const delegating: Readonly<Record<number, string>> = { 0xf2: "CALLCODE", 0xf4: "DELEGATECALL", 0xff: "SELFDESTRUCT" };
/** Instructions whose value can be another one in use than in a test. */
const observing: Readonly<Record<number, string>> = { 0x32: "ORIGIN", 0x41: "COINBASE", 0x43: "NUMBER" };

/** Reads the instructions of code as it is on the chain. Data between them may be read as instructions too. */
export function readEvmCode(code: Buffer): EvmCode {
  const selectors = new Set<Hex>();
  const numbers = new Set<bigint>();
  const accounts = new Set<Account>();
  const found = new Set<string>();
  const end = code.length - metadataLength(code);
  for (let at = 0; at < end; at += 1) {
    const instruction = code[at] ?? 0;
    const delegates = delegating[instruction];
    if (delegates !== undefined) found.add(`the code has ${delegates}, which runs other code or ends the contract`);
    const observes = observing[instruction];
    if (observes !== undefined) found.add(`the code has ${observes}, by which it can know a test`);
    if (instruction <= push0 || instruction > push32) continue;
    const constant = code.subarray(at + 1, at + 1 + instruction - push0);
    at += constant.length;
    const value = BigInt(`0x${constant.toString("hex") || "0"}`);
    // Compared with the selector of a call, at times far from here.
    if (constant.length === 4 && !isMask(constant)) selectors.add(`0x${constant.toString("hex")}`);
    const isJump = value < BigInt(end) && code[Number(value)] === jumpDestination;
    if (value > 1n && value < 2n ** 64n && !isJump) numbers.add(value);
    // A constructor's accounts are stored in constants of 32 bytes; others lack their leading zeros. Masks repeat one byte.
    const mayBeAccount = value > 2n ** 96n && value < 2n ** 160n && new Set(constant).size > 6;
    if (mayBeAccount) accounts.add(accountOfWord(value));
  }
  for (const selector of builtInErrors) selectors.delete(selector);
  return { selectors: [...selectors], numbers: [...numbers], accounts: [...accounts], toRead: [...found] };
}

function isMask(constant: Uint8Array): boolean {
  return new Set(constant).size === 1;
}

/** The account in the last 20 bytes of a word. */
export function accountOfWord(word: bigint): Account {
  return `0x${word.toString(16).padStart(40, "0").slice(-40)}` as Account;
}

/** Solidity ends code with data of its own, whose length is in the last two bytes. */
function metadataLength(code: Buffer): number {
  const length = code.length < 2 ? 0 : code.readUInt16BE(code.length - 2) + 2;
  return length < code.length ? length : 0;
}
