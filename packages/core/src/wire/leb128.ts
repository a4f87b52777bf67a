/** Encodes a number of any size as unsigned LEB128: seven bits a byte, the lowest first. */
export function encodeLeb128(value: bigint): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return bytes;
}

/** Decodes unsigned LEB128 of at most five bytes; undefined if it is longer or the bytes end before it. */
export function decodeLeb128(
  bytes: Uint8Array,
  start: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if ((byte & 0x80) === 0) return { value, end: start + index + 1 };
  }
  return undefined;
}
