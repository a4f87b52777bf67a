import { textDigest, tooLong } from "../textDigest.ts";

/** Maximum stored name, in bytes of UTF-8. */
const longestName = 1024;

/**
 * Returns the name in a contract's answer: a `string`, or the `bytes32` of some contracts older than the standard.
 * Empty for any other answer; without invalid UTF-8 and control characters. A name above 1,024 bytes becomes a digest.
 */
export function decodeName(answer: string | undefined): string {
  const bytes = dynamicBytes(answer) ?? wordBytes(answer) ?? new Uint8Array();
  if (bytes.length > longestName) return textDigest(bytes);
  return new TextDecoder()
    .decode(bytes)
    .replaceAll(/[\p{Cc}\uFFFD]/gu, "")
    .trim();
}

export interface DecodedUri {
  readonly text: string;
  /** How the text differs from the contract's bytes; undefined if it does not. */
  readonly lost: string | undefined;
}

/**
 * Returns the URI in a contract's answer: empty if the answer is not a `string`. Invalid UTF-8 and U+0000, which no
 * database stores, become U+FFFD. A URI that is too long becomes a digest.
 *
 * @param longest - Maximum URI that is stored unchanged, in bytes.
 */
export function decodeUri(answer: string | undefined, longest: number): DecodedUri {
  const bytes = dynamicBytes(answer);
  if (bytes === undefined) return { text: "", lost: undefined };
  if (bytes.length > longest) return { text: textDigest(bytes), lost: tooLong(bytes.length, longest) };
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replaceAll("\0", "\uFFFD");
  if (Buffer.from(text).equals(bytes)) return { text, lost: undefined };
  // U+FFFD has more bytes than what it replaces.
  const isLong = Buffer.byteLength(text) > longest;
  return { text: isLong ? textDigest(bytes) : text, lost: "U+0000 or invalid UTF-8 in it" };
}

/** The bytes of an ABI-encoded `string`; undefined if it is not one, or shorter than its length. */
function dynamicBytes(answer: string | undefined): Uint8Array | undefined {
  const offset = countAt(answer, 0);
  const length = offset === undefined ? undefined : countAt(answer, offset);
  if (answer === undefined || offset === undefined || length === undefined) return undefined;
  const start = 2 + 2 * (offset + 32);
  const end = start + 2 * length;
  return end > answer.length ? undefined : Buffer.from(answer.slice(start, end), "hex");
}

/** The bytes of a `bytes32` up to its trailing zeros; undefined for an answer that is not one word. */
function wordBytes(answer: string | undefined): Uint8Array | undefined {
  if (answer?.length !== 66) return undefined;
  const bytes = Buffer.from(answer.slice(2), "hex");
  const end = bytes.findLastIndex((byte) => byte !== 0);
  return bytes.subarray(0, end + 1);
}

/** The word at a byte offset as a number; undefined if it is incomplete or too large to be an offset. */
function countAt(answer: string | undefined, offset: number): number | undefined {
  const word = answer?.slice(2 + 2 * offset, 66 + 2 * offset);
  if (word?.length !== 64) return undefined;
  const value = BigInt(`0x${word}`);
  return value > 0xff_ff_ff_ffn ? undefined : Number(value);
}
