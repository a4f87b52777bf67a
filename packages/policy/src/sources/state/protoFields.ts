/** A field of a protobuf message: its number, and its text or bytes. */
export type ProtoField = readonly [number: number, value: string | Uint8Array];

/** Encodes a message whose fields are all texts, bytes or messages. Field numbers go up to 15. */
export function encodeFields(fields: readonly ProtoField[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      const bytes = Buffer.from(value);
      return [Buffer.from([(number << 3) | lengthDelimited, ...encodeVarint(bytes.length)]), bytes];
    }),
  );
}

/**
 * Reads a field of a message that is a text, bytes or a message; empty if it is absent.
 *
 * @throws RangeError if the message ends inside a field; Error for a group, which is no longer in use.
 */
export function decodeField(message: Uint8Array, wanted: number): Uint8Array {
  const reader = new FieldReader(message);
  let found: Uint8Array = new Uint8Array();
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    const bytes = reader.field(Number(tag & 7n));
    // The last one counts.
    if (tag >> 3n === BigInt(wanted) && bytes !== undefined) found = bytes;
  }
  return found;
}

/** The wire type of texts, bytes and messages. */
const lengthDelimited = 2;

class FieldReader {
  readonly #message: Uint8Array;
  #at = 0;

  constructor(message: Uint8Array) {
    this.#message = message;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#message.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const [byte = 0] = this.#take(1);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("a number has more than 10 bytes");
  }

  /** Reads a field's value; undefined if it is a number. */
  field(wireType: number): Uint8Array | undefined {
    if (wireType === lengthDelimited) return this.#take(Number(this.varint()));
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.#take(8);
    else if (wireType === 5) this.#take(4);
    else throw new Error(`wire type ${wireType} is unknown`);
    return undefined;
  }

  #take(bytes: number): Uint8Array {
    const end = this.#at + bytes;
    if (end > this.#message.length) throw new RangeError("the message ends inside a field");
    const taken = this.#message.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function encodeVarint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
