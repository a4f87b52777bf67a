import { zeroAddress } from "@vipscore/blocks";
import { parseAccount } from "@vipscore/core";
import { parseObject } from "@vipscore/core/wire";
import type { HexAddress } from "../chain/nftChain.ts";

/** An error answered with status 400 and this message as text. */
export class BadRequest extends Error {
  override readonly name: string = "BadRequest";
}

const defaultLimit = 100n;
const maxLimit = 1000n;

/** Largest integer that a real indexer accepts, Go's int. */
const maxInteger = 2n ** 63n - 1n;

/** The booleans that Go's `strconv.ParseBool` accepts. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "true", "TRUE", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "false", "FALSE", "False"].map((text) => [text, false] as const),
]);

export interface Pagination {
  readonly limit: number;
  /** From the key if one was sent, otherwise the offset. */
  readonly offset: bigint;
  /** The object in the key; undefined if it holds an offset or none was sent. */
  readonly keyObject: Readonly<Record<string, unknown>> | undefined;
  readonly countTotal: boolean;
  readonly reverse: boolean;
}

/**
 * Reads the parameters as recorded from a real indexer: values that cannot be parsed silently become the default; a key
 * overrides an offset.
 */
export function readPagination(query: URLSearchParams): Pagination {
  const limit = readInteger(query.get("pagination.limit") ?? "") ?? defaultLimit;
  if (limit < 1n || limit > maxLimit) throw new BadRequest(`pagination.limit must be between 1 and ${maxLimit}`);
  const offset = readInteger(query.get("pagination.offset") ?? "") ?? 0n;
  if (offset < 0n) throw new BadRequest("pagination.offset cannot be negative");
  const key = query.get("pagination.key");
  return {
    limit: Number(limit),
    ...(key ? readPageKey(key) : { offset, keyObject: undefined }),
    countTotal: booleans.get(query.get("pagination.count_total") ?? "") ?? true,
    reverse: booleans.get(query.get("pagination.reverse") ?? "") ?? true,
  };
}

/** The message for a key with JSON that is not of this listing. */
export const wrongKey = "invalid pagination.key format";

function readPageKey(key: string): Pick<Pagination, "offset" | "keyObject"> {
  // Go's decoder ignores line breaks and requires padding.
  const base64 = key.replaceAll(/[\r\n]/g, "");
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)) {
    throw new BadRequest("pagination.key must be a valid base64 encoded string");
  }
  const text = Buffer.from(base64, "base64").toString();
  if (text.trimStart().startsWith("{")) return { offset: 0n, keyObject: readObject(text) };
  const offset = readInteger(text);
  if (offset === undefined || offset < 0n) throw new BadRequest("pagination.key must decode to a nonnegative integer");
  return { offset, keyObject: undefined };
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  const value = parseObject(text);
  if (value === undefined) throw new BadRequest(wrongKey);
  return value;
}

/** Parses an integer like Go's `strconv.Atoi`; undefined if that fails. */
function readInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,40}$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ""));
  return value > maxInteger || value < -maxInteger - 1n ? undefined : value;
}

/** Only text of this form is tried as bech32, including the checksum. */
const bech32Text = /^(?:init1[02-9ac-hj-np-z]+|INIT1[02-9AC-HJ-NP-Z]+)$/;

/**
 * Parses the account of a request: Initia bech32, or hex with or without `0x` and leading zeros, as recorded from a
 * real indexer.
 *
 * @param text - Raw text from the path, not percent-decoded.
 */
export function accountOf(text: string): HexAddress {
  const digits = digitsOf(text);
  if (digits === undefined || firstNonHexByte(digits) !== undefined) throw invalidValue("account", text);
  return addressOfDigits(digits);
}

/** Parses the collection of a request, in the same forms. */
export function collectionAddrOf(text: string): HexAddress {
  const digits = digitsOf(text);
  if (digits === undefined) throw invalidValue("address", text);
  const byte = firstNonHexByte(digits);
  if (byte !== undefined) throw new BadRequest(`encoding/hex: invalid byte: ${describeByte(byte)}`);
  return addressOfDigits(digits);
}

/** At most 64 presumed hex digits, without leading zeros; undefined if there are more. */
function digitsOf(text: string): string | undefined {
  if (bech32Text.test(text)) {
    try {
      return parseAccount(text, { accountBytes: [20, 32] }).slice(2);
    } catch {
      // Not bech32 of an account: read as hex below, which fails with the recorded message.
    }
  }
  const digits = text.replace(/^0x/, "").replace(/^0+/, "").toLowerCase();
  return Buffer.byteLength(digits) > 64 ? undefined : digits;
}

function firstNonHexByte(digits: string): number | undefined {
  return Buffer.from(digits).find((byte) => !/[0-9a-f]/.test(String.fromCharCode(byte)));
}

/** A byte as Go prints it: its code point, and the character if it is printable. */
function describeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  const code = `U+${byte.toString(16).toUpperCase().padStart(4, "0")}`;
  return /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character) ? `${code} '${character}'` : code;
}

function addressOfDigits(digits: string): HexAddress {
  const trimmed = digits.replace(/^0+/, "");
  if (trimmed === "") return zeroAddress;
  return `0x${trimmed.padStart(trimmed.length > 40 ? 64 : 40, "0")}`;
}

function invalidValue(name: string, text: string): BadRequest {
  return new BadRequest(`[INVALID_VALUE] invalid value for ${name}: ${text} (invalid address format)`);
}
