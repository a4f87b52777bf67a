/** The order of secp256k1. */
const order = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;

/** Returns an uncompressed point of secp256k1, 65 bytes, as 33 bytes. */
export function compressPoint(point: Uint8Array): Uint8Array {
  const isOdd = ((point[64] ?? 0) & 1) === 1;
  return Buffer.concat([Buffer.of(isOdd ? 3 : 2), point.subarray(1, 33)]);
}

/** Returns r and s as 64 bytes, with s in the lower half of the order; chains refuse the upper half. */
export function joinSignature(r: bigint, s: bigint): Uint8Array {
  return Buffer.concat([scalar(r), scalar(s > order / 2n ? order - s : s)]);
}

/** Returns the number of big-endian bytes. */
export function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString("hex") || "0"}`);
}

/**
 * Decodes a signature in DER: two integers in a sequence.
 *
 * @returns Undefined for any other bytes.
 */
export function decodeDer(bytes: Uint8Array): { readonly r: bigint; readonly s: bigint } | undefined {
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) return undefined;
  const r = readInteger(bytes.subarray(2));
  if (r === undefined) return undefined;
  const s = readInteger(r.rest);
  return s === undefined || s.rest.length > 0 ? undefined : { r: r.value, s: s.value };
}

function readInteger(bytes: Uint8Array): { readonly value: bigint; readonly rest: Uint8Array } | undefined {
  const [tag, length = 0] = bytes;
  // An integer of 32 bytes whose highest bit is set has a zero byte before it.
  if (tag !== 0x02 || length === 0 || length > 33 || bytes.length < 2 + length) return undefined;
  return { value: toNumber(bytes.subarray(2, 2 + length)), rest: bytes.subarray(2 + length) };
}

function scalar(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex");
}
