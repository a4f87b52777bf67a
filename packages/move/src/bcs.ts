import type { Account, ScoreRow } from "@vipscore/core";
import { decodeLeb128, encodeLeb128, type Answer } from "@vipscore/core/wire";
import { accountOfAddress, addressBytes, addressHex } from "./moveAddress.ts";

/**
 * Binary Canonical Serialization of the few types that the scoring module uses. Written by hand because a push encodes, and
 * a verification decodes, millions of values, and a general encoder takes many times as long.
 * Source: https://github.com/diem/bcs; a test compares it with the encoder of initia.js.
 */

const u64Bytes = 8;

/** A u64: 8 bytes, little-endian. */
export function encodeU64(value: bigint): Buffer {
  const bytes = Buffer.alloc(u64Bytes);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

/** A u16: 2 bytes, little-endian. */
export function encodeU16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

/** A bool: one byte. */
export function encodeBool(value: boolean): Buffer {
  return Buffer.of(value ? 1 : 0);
}

/** An address: 32 bytes. */
export function encodeAddress(account: Account): Buffer {
  return Buffer.from(addressHex(account), "hex");
}

/** `Option<address>`: a vector of zero or one addresses. */
export function encodeAddressOption(account: Account | undefined): Buffer {
  return account === undefined ? encodeLength(0) : Buffer.concat([encodeLength(1), encodeAddress(account)]);
}

/** `vector<address>`. */
export function encodeAddresses(accounts: readonly Account[]): Buffer {
  const prefix = encodeLength(accounts.length);
  const bytes = Buffer.alloc(prefix.length + accounts.length * addressBytes);
  prefix.copy(bytes);
  let end = prefix.length;
  for (const account of accounts) {
    end += addressBytes;
    // Right-aligned: a 20-byte account has 12 zero bytes in front.
    bytes.write(account.slice(2), end - (account.length - 2) / 2, "hex");
  }
  return bytes;
}

/** `vector<u64>` of the rows' scores. */
export function encodeScores(rows: readonly ScoreRow[]): Buffer {
  const prefix = encodeLength(rows.length);
  const bytes = Buffer.alloc(prefix.length + rows.length * u64Bytes);
  prefix.copy(bytes);
  let position = prefix.length;
  for (const { score } of rows) position = bytes.writeBigUInt64LE(score, position);
  return bytes;
}

function encodeLength(length: number): Buffer {
  return Buffer.from(encodeLeb128(BigInt(length)));
}

/** Reads the bytes of a base64 field; `read` must consume all of them. `what` follows "is not" in the message: `a stage`. */
export function readBcs<T>(answer: Answer, what: string, read: (from: BcsReader) => T): T {
  const from = new BcsReader(answer, what);
  const value = read(from);
  return from.isAtEnd ? value : answer.unreadable(what);
}

/** Reads values one after another; throws UnreadableAnswer if the bytes end too early. */
export class BcsReader {
  readonly #answer: Answer;
  readonly #what: string;
  readonly #bytes: Buffer;
  #position = 0;

  constructor(answer: Answer, what: string) {
    this.#answer = answer;
    this.#what = what;
    this.#bytes = answer.base64();
  }

  get isAtEnd(): boolean {
    return this.#position === this.#bytes.length;
  }

  u64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#advance(u64Bytes));
  }

  bool(): boolean {
    const value = this.#bytes[this.#advance(1)];
    if (value !== 0 && value !== 1) return this.#answer.unreadable(this.#what);
    return value === 1;
  }

  address(): Account {
    const start = this.#advance(addressBytes);
    return accountOfAddress(this.#bytes.toString("hex", start, start + addressBytes));
  }

  /** The bytes of an address as hex without `0x`: a table handle. */
  handle(): string {
    const start = this.#advance(addressBytes);
    return this.#bytes.toString("hex", start, start + addressBytes);
  }

  /** The length of a vector, of at most five bytes. */
  length(): number {
    const { value, end } = decodeLeb128(this.#bytes, this.#position) ?? this.#answer.unreadable(this.#what);
    this.#position = end;
    return value;
  }

  #advance(count: number): number {
    const start = this.#position;
    if (start + count > this.#bytes.length) this.#answer.unreadable(this.#what);
    this.#position += count;
    return start;
  }
}
