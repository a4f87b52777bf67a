import { BinaryReader, BinaryWriter, WireType } from "cosmjs-types/binary";

/** A field of a protobuf message: its number, and its text or bytes. */
export type ProtoField = readonly [number: number, value: string | Uint8Array];

/** Encodes a message whose fields are all texts, bytes or messages. */
export function encodeFields(fields: readonly ProtoField[]): Uint8Array {
  const writer = BinaryWriter.create();
  for (const [number, value] of fields) writer.tag(number, WireType.Bytes).bytes(Buffer.from(value));
  return writer.finish();
}

/**
 * Reads a field of a message that is a text, bytes or a message; empty if it is absent.
 *
 * @throws Error if the bytes are not a message.
 */
export function decodeField(message: Uint8Array, wanted: number): Uint8Array {
  try {
    return lastField(new BinaryReader(message), wanted);
  } catch (cause) {
    throw new Error("the answer is not a protobuf message", { cause });
  }
}

function lastField(reader: BinaryReader, wanted: number): Uint8Array {
  let found: Uint8Array = new Uint8Array();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    // The last one counts.
    if (number === wanted && type === WireType.Bytes) found = reader.bytes();
    else reader.skipType(type);
  }
  return found;
}
