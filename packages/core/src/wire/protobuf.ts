import { decodeLeb128, encodeLeb128 } from "./leb128.ts";

/** A field's value in protobuf: bytes, or a number. Undefined if the message does not have the field. */
type WireValue = Uint8Array | bigint | undefined;

/** Converts a field's value to the JSON that Cosmos nodes write for it, an absent one to its default. */
type FieldReader = (value: WireValue) => unknown;

/** The fields of a message to read: name, number, how, and whether it is a list. All others are skipped. */
export type Shape = Readonly<Record<string, readonly [field: number, read: FieldReader, list?: "list"]>>;

/** Encodes a field with bytes, a text, or a message. */
export function encodeField(field: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([...tagOf(field, 2), ...encodeLeb128(BigInt(bytes.length))]), bytes]);
}

export function encodeNumber(field: number, value: bigint): Buffer {
  return Buffer.from([...tagOf(field, 0), ...encodeLeb128(value)]);
}

function tagOf(field: number, type: number): readonly number[] {
  return encodeLeb128(BigInt(field * 8 + type));
}

/** Decodes a message to JSON. Throws a RangeError or TypeError if it is not one of this shape. */
export function decodeMessage(bytes: Uint8Array, shape: Shape): Readonly<Record<string, unknown>> {
  const values = new Map<number, (Uint8Array | bigint)[]>();
  for (const [field, value] of readFields(bytes)) {
    const known = values.get(field);
    if (known === undefined) values.set(field, [value]);
    else known.push(value);
  }
  const read = ([name, [field, as, list]]: [string, Shape[string]]): [string, unknown] => {
    const found = values.get(field) ?? [];
    return [name, list === undefined ? as(found.at(-1)) : found.map((value) => as(value))];
  };
  return Object.fromEntries(Object.entries(shape).map(read));
}

/** Reads the fields of a message in their order: bytes and numbers; others are skipped. Throws a RangeError if it is not one. */
export function* readFields(bytes: Uint8Array): Generator<readonly [field: number, value: Uint8Array | bigint]> {
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError("the message ends early");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = (): number => {
    const read = decodeLeb128(bytes, at);
    if (read === undefined) throw new RangeError("not a number");
    at = read.end;
    return read.value;
  };
  while (at < bytes.length) {
    const tag = number();
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    if (field === 0) throw new RangeError("no field has this number");
    if (type === 2) yield [field, take(number())];
    else if (type === 0) yield [field, readVarint(take)];
    else if (type === 1) take(8);
    else if (type === 5) take(4);
    else throw new RangeError(`no such wire type: ${type}`);
  }
}

function readVarint(take: (length: number) => Uint8Array): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const [byte = 0] = take(1);
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw new RangeError("a number of more than 64 bits");
}

function bytesOf(value: WireValue): Buffer {
  if (typeof value === "bigint") throw new TypeError("a number in place of bytes");
  return Buffer.from(value ?? []);
}

function numberOf(value: WireValue = 0n): bigint {
  if (typeof value !== "bigint") throw new TypeError("bytes in place of a number");
  return value;
}

export const text: FieldReader = (value) => bytesOf(value).toString();
export const base64: FieldReader = (value) => bytesOf(value).toString("base64");
export const u64: FieldReader = (value) => BigInt.asUintN(64, numberOf(value)).toString();
export const i64: FieldReader = (value) => BigInt.asIntN(64, numberOf(value)).toString();

/** A decimal of the Cosmos SDK, in units of 10^-18 (`math/dec.go`). */
export const decimal: FieldReader = (value) => {
  const digits = text(value);
  if (typeof digits !== "string" || !/^\d+$/.test(digits)) return digits;
  const padded = digits.padStart(19, "0");
  return `${padded.slice(0, -18)}.${padded.slice(-18)}`;
};

/** The name of a number of an enumeration. */
export function nameIn(names: readonly string[]): FieldReader {
  return (value) => names[Number(numberOf(value))] ?? numberOf(value).toString();
}

/** A message inside another one; `null` if absent. */
export function message(shape: Shape): FieldReader {
  return (value) => (value === undefined ? null : decodeMessage(bytesOf(value), shape));
}
