import { formatBech32, parseAccount, type Account } from "@vipscore/core";
import { decodeLeb128, encodeLeb128 } from "@vipscore/core/wire";

/**
 * A type of an argument in Binary Canonical Serialization. Only the few types of VIP's entry functions, so that this package
 * needs no chain library. Source: https://github.com/diem/bcs; a test compares them with the encoder of initia.js.
 */
export interface BcsType<T> {
  encode(value: T): Buffer;
  /** Throws a RangeError unless the bytes are exactly one value in its only form. */
  decode(bytes: Buffer): T;
  /** The value as a person reads it. */
  show(value: T): string;
}

const addressBytes = 32;

/** An account: 32 bytes; one of 20 bytes has 12 zero bytes in front. */
export const bcsAddress: BcsType<Account> = {
  encode: (account) => Buffer.from(account.slice(2).padStart(2 * addressBytes, "0"), "hex"),
  decode: (bytes) => {
    if (bytes.length !== addressBytes) throw new RangeError("an address has 32 bytes");
    return parseAccount(`0x${bytes.toString("hex")}`, { accountBytes: [20, 32] });
  },
  show: (account) => formatBech32(account),
};

/** A u64: 8 bytes, little-endian. */
export const bcsU64: BcsType<bigint> = {
  encode: (value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value);
    return bytes;
  },
  decode: (bytes) => {
    if (bytes.length !== 8) throw new RangeError("a u64 has 8 bytes");
    return bytes.readBigUInt64LE();
  },
  show: (value) => value.toString(),
};

/** A text: the number of its bytes, and the bytes in UTF-8. */
export const bcsText: BcsType<string> = {
  encode: (value) => withLength(Buffer.from(value, "utf8")),
  decode: (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(withoutLength(bytes)),
  show: (value) => value,
};

/** Bytes: their number, and themselves. */
export const bcsBytes: BcsType<Buffer> = {
  encode: withLength,
  decode: withoutLength,
  show: (value) => (value.length === 0 ? "none" : value.toString("hex")),
};

/** A `BigDecimal` of Move: the bytes of the number times 10^18, little-endian and without zeros at their end. */
export const bcsRatio: BcsType<bigint> = {
  encode: (value) => {
    const bytes: number[] = [];
    for (let rest = value; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn));
    return withLength(Buffer.from(bytes));
  },
  decode: (bytes) => {
    const digits = withoutLength(bytes);
    if (digits.at(-1) === 0) throw new RangeError("a decimal number has zeros at its end");
    return digits.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  },
  show: formatRatio,
};

/** A list: the number of its values, and each of them. `sizeOf` gives the bytes of the first value of `rest`, at least 1. */
export function bcsList<T>(type: BcsType<T>, sizeOf: (rest: Buffer) => number): BcsType<readonly T[]> {
  const list: BcsType<readonly T[]> = {
    encode: (values) =>
      Buffer.concat([Buffer.from(encodeLeb128(BigInt(values.length))), ...values.map((value) => type.encode(value))]),
    decode: (bytes) => {
      const values: T[] = [];
      let start = decodeLeb128(bytes, 0)?.end ?? bytes.length;
      while (start < bytes.length) {
        const end = start + sizeOf(bytes.subarray(start));
        values.push(type.decode(bytes.subarray(start, end)));
        start = end;
      }
      if (!list.encode(values).equals(bytes)) throw new RangeError("the length is not that of the list");
      return values;
    },
    show: (values) => values.map((value) => type.show(value)).join(", "),
  };
  return list;
}

/** Bytes of a list's value whose own values have a known size. */
export function bcsListSize(rest: Buffer, valueSize: number): number {
  const length = decodeLeb128(rest, 0);
  if (length === undefined) throw new RangeError("a list has no length");
  return length.end + length.value * valueSize;
}

function withLength(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(encodeLeb128(BigInt(content.length))), content]);
}

function withoutLength(bytes: Buffer): Buffer {
  const content = bytes.subarray(decodeLeb128(bytes, 0)?.end);
  if (!withLength(content).equals(bytes)) throw new RangeError("the length is not that of the rest");
  return content;
}

/** The decimal places of Move's `BigDecimal`. */
const places = 18;

/** The number 1 as {@link parseRatio} returns it. */
export const ratioOne = 10n ** BigInt(places);

/** Reads a decimal number as its multiple of 10^-18, such as `0.05`; undefined for other text or more decimal places. */
export function parseRatio(text: string): bigint | undefined {
  const [, whole, fraction = ""] = /^(\d{1,20})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(places, "0"));
}

/** `0.05` for 5 × 10^16, without zeros at the end. */
export function formatRatio(value: bigint): string {
  const digits = value.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  return fraction === "" ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
}
