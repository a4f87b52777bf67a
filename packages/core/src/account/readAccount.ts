import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import { bech32 } from "@scure/base";
import type { Account } from "../account.ts";
import { InputError, quoteText, type InputProblem } from "../errors/inputError.ts";
import { count } from "../numbers.ts";

/** The spellings of an account that are accepted. */
export interface AccountOptions {
  /** The lengths in bytes that an account may have; see `ScoreContract.accountBytes`. */
  readonly accountBytes: readonly (20 | 32)[];
  /** Human-readable part of bech32 addresses. Default: `init`. */
  readonly bech32Prefix?: string;
}

/** Longest spelling that can be an account: 64 hex digits or a bech32 address of 32 bytes with a long prefix. */
const longestSpelling = 160;

/** Maximum number of characters of a prefix that a message shows. */
const longestPrefixShown = 15;

/**
 * Reads one account, spelled as `0x` or `0X` hex or bech32, without surrounding white space.
 *
 * Mixed-case hex of 20 bytes must satisfy EIP-55. If accounts of 20 and 32 bytes are allowed, 32 bytes that
 * start with 12 zero bytes are the account of the last 20, as on Move. The zero address is rejected.
 */
export function readAccount(text: string, options: AccountOptions): Account | InputProblem {
  if (/^0x/i.test(text)) return readHex(`0x${text.slice(2)}`, options.accountBytes);
  if (text.length <= longestSpelling && /^[a-z][a-z0-9]*1[a-z0-9]{6,}$/i.test(text))
    return readBech32Account(text, options);
  return { reason: "ADDRESS_INVALID", message: describeUnknown(text, options) };
}

function readHex(text: string, accountBytes: readonly (20 | 32)[]): Account | InputProblem {
  const isLowerCase = /^0x[0-9a-f]+$/.test(text);
  if (!isLowerCase && !/^0x[0-9a-fA-F]+$/.test(text)) {
    return { reason: "ADDRESS_INVALID", message: `address ${quoteText(text)} is not hexadecimal` };
  }
  const isAddressLong = text.length === 42 || text.length === 66;
  if (!isAddressLong) {
    const digits = accountBytes.map((bytes) => bytes * 2).join(" or ");
    // Move's nodes omit leading zeros, but an address that lost another digit would get those of nobody.
    const zeros = accountBytes.includes(32) ? ", with any leading zeros" : "";
    const message = `address ${quoteText(text)} has ${count(text.length - 2, "digit")} instead of ${digits}; copy the whole address again${zeros}`;
    return { reason: "ADDRESS_LENGTH", message };
  }
  // EIP-55 defines a checksum for 20 bytes only; text in a single case carries no checksum.
  if (!isLowerCase && text.length === 42 && /[a-f]/.test(text.slice(2)) && checksumHex(text.toLowerCase()) !== text) {
    const message = `address ${quoteText(text)} fails its EIP-55 checksum: a digit or a letter's case is wrong`;
    return { reason: "ADDRESS_CHECKSUM", message };
  }
  return accountOfBytes(isLowerCase ? text : text.toLowerCase(), text, accountBytes);
}

function readBech32Account(text: string, options: AccountOptions): Account | InputProblem {
  const lowerCase = text.toLowerCase();
  if (lowerCase !== text && text.toUpperCase() !== text) {
    const message = `address ${quoteText(text)} mixes upper and lower case, which bech32 does not allow`;
    return { reason: "ADDRESS_INVALID", message };
  }
  const expected = options.bech32Prefix ?? initiaPrefix;
  const prefix = lowerCase.slice(0, lowerCase.lastIndexOf("1"));
  if (prefix !== expected) {
    // A longer prefix is not a prefix and may be part of a key.
    const found = prefix.length > longestPrefixShown ? "other letters" : `"${prefix}"`;
    const message = `address ${quoteText(text)} starts with ${found} instead of "${expected}": it belongs to another chain, or is not an account`;
    return { reason: "ADDRESS_PREFIX", message };
  }
  const decoded = bech32.decodeUnsafe(lowerCase, longestSpelling);
  if (decoded === undefined) {
    const message = `address ${quoteText(text)} fails its bech32 checksum: a character is wrong, missing or too many`;
    return { reason: "ADDRESS_CHECKSUM", message };
  }
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  if (bytes === undefined || (bytes.length !== 20 && bytes.length !== 32)) {
    const length = bytes === undefined ? "no whole number of" : bytes.length;
    const message = `address ${quoteText(text)} holds ${length} bytes instead of ${options.accountBytes.join(" or ")}`;
    return { reason: "ADDRESS_LENGTH", message };
  }
  return accountOfBytes(`0x${bytesToHex(bytes)}`, text, options.accountBytes);
}

function describeUnknown(text: string, options: AccountOptions): string {
  if (text === "") return "address is empty";
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text)) return `address ${quoteText(text)} lacks 0x at its start`;
  return `address ${quoteText(text)} is neither 0x and hexadecimal digits nor ${options.bech32Prefix ?? initiaPrefix}1…`;
}

/**
 * Parses one account, spelled as `0x` hex or bech32; white space around it is ignored.
 *
 * Mixed-case hex of 20 bytes must satisfy EIP-55; bech32 must have a valid checksum and prefix. If accounts of 20 and 32 bytes
 * are allowed, 32 bytes that start with 12 zero bytes are the account of the last 20. The zero address is rejected.
 *
 * @throws InputError `INPUT_INVALID`.
 * @example
 * const account = parseAccount("0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475", { accountBytes: [20] });
 */
export function parseAccount(text: string, options: AccountOptions): Account {
  const account = readAccount(text.trim(), options);
  if (typeof account !== "string") throw new InputError(account.message);
  return account;
}

/**
 * Returns an account of any spelling. Lower-case hex is taken as it is: chains have accounts that a score file may not name.
 *
 * @throws InputError `INPUT_INVALID`.
 */
export function accountOf(text: string, accountBytes: AccountOptions["accountBytes"] = [20, 32]): Account {
  const isForm = /^0x[0-9a-f]+$/.test(text) && accountBytes.some((bytes) => text.length === 2 + 2 * bytes);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that is the form
  return isForm ? (text as Account) : parseAccount(text, { accountBytes });
}

/** Human-readable part of account addresses on Initia and its rollups. */
export const initiaPrefix = "init";

const letterA = "a".charCodeAt(0);

/**
 * Formats an account, of any spelling, as bech32 text of 43 (20 bytes) or 63 (32 bytes) characters, with the prefix `init`.
 *
 * @example
 * formatBech32(account); // init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6
 */
export function formatBech32(account: string, prefix: string = initiaPrefix): string {
  const bytes = hexToBytes(accountOf(account).slice(2));
  // No length limit: the chain may choose a long prefix, and `parseAccount` reads it back.
  return bech32.encode(prefix, bech32.toWords(bytes), false);
}

/**
 * Formats an account, of any spelling, as `0x` hex with EIP-55 capitals. 32 bytes, which EIP-55 does not cover, stay lower-case.
 *
 * @example
 * formatChecksummed(account); // 0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475
 */
export function formatChecksummed(account: string): string {
  const hex = accountOf(account);
  return hex.length === 42 ? checksumHex(hex) : hex;
}

/** Capitalizes `0x` and 40 lower-case hex digits as EIP-55 requires (https://eips.ethereum.org/EIPS/eip-55). */
export function checksumHex(hex: string): string {
  const digits = hex.slice(2);
  // EIP-55 hashes the text of the digits, not the bytes.
  const hash = keccak_256(digits);
  let checksummed = "0x";
  for (let index = 0; index < digits.length; index += 1) {
    const byte = hash[index >> 1] ?? 0;
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 15;
    const isCapital = nibble >= 8 && digits.charCodeAt(index) >= letterA;
    checksummed += isCapital ? digits.charAt(index).toUpperCase() : digits.charAt(index);
  }
  return checksummed;
}

const zeroPadding = "0".repeat(24);

/**
 * Returns the account with these 20 or 32 bytes, on a chain whose accounts have the given lengths.
 *
 * `hex` is `0x` and the lower-case hex of the bytes; `spelling` is the text of the input.
 */
function accountOfBytes(hex: string, spelling: string, accountBytes: readonly (20 | 32)[]): Account | InputProblem {
  if (/^0x0+$/.test(hex)) {
    return { reason: "ADDRESS_ZERO", message: `address ${quoteText(spelling)} is the zero address, which nobody owns` };
  }
  const allows20 = accountBytes.includes(20);
  const allows32 = accountBytes.includes(32);
  if (hex.length === 42) {
    if (allows20) return asAccount(hex);
    return { reason: "ADDRESS_LENGTH", message: `address ${quoteText(spelling)} has 20 bytes; accounts here have 32` };
  }
  if (!allows32) {
    const why = hex.startsWith(zeroPadding, 2)
      ? `is a word of 32 bytes, as in a log's topic; its address is 0x${hex.slice(26)}`
      : "has 32 bytes; a 32-byte address cannot be used on this chain";
    const message = `address ${quoteText(spelling)} ${why}`;
    return { reason: "ADDRESS_LENGTH", message };
  }
  return asAccount(allows20 && hex.startsWith(zeroPadding, 2) ? `0x${hex.slice(26)}` : hex);
}

function asAccount(hex: string): Account {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 0x and lower-case hex of 20 or 32 bytes is that form
  return hex as Account;
}
