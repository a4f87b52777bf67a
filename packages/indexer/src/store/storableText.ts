import { toUSVString } from "node:util";
import { textDigest, tooLong } from "../chain/textDigest.ts";

/**
 * Maximum stored token ID, in bytes of UTF-8: an index entry of PostgreSQL holds about 2,700 bytes (8191 / 3, the limit
 * of its B-trees), including addresses next to the ID.
 */
const maxTokenIdBytes = 512;

/** Maximum name that is stored unchanged, in bytes of UTF-8. */
export const maxNameBytes = 1024;

/**
 * Returns why a token ID cannot be stored; undefined if it can. PostgreSQL does not accept U+0000 in text, and UTF-8
 * has no lone surrogates: replacing them could make two IDs equal.
 */
export function tokenIdFault(tokenId: string): string | undefined {
  if (tokenId.includes("\0")) return "a token id with U+0000";
  if (toUSVString(tokenId) !== tokenId) return "a token id with a lone surrogate";
  const bytes = Buffer.byteLength(tokenId);
  return bytes > maxTokenIdBytes ? `a token id of ${bytes} bytes, more than ${maxTokenIdBytes}` : undefined;
}

/** Returns the stored form of a URI, and how it differs from the URI; undefined if it does not. */
export function storableUri(
  uri: string,
  maxBytes: number,
): { readonly text: string; readonly lost: string | undefined } {
  const text = storableText(uri, maxBytes);
  if (text === uri) return { text, lost: undefined };
  const bytes = Buffer.byteLength(uri);
  return { text, lost: `a URI: ${bytes > maxBytes ? tooLong(bytes, maxBytes) : "U+0000 or a lone surrogate in it"}` };
}

/** Returns the text with U+FFFD for characters that the databases do not accept, or its digest if it is too long. */
export function storableText(text: string, maxBytes: number): string {
  // Before the replacement, which takes time proportional to the length.
  if (text.length > maxBytes) return textDigest(Buffer.from(text));
  const storable = toUSVString(text).replaceAll("\0", "\uFFFD");
  return Buffer.byteLength(storable) > maxBytes ? textDigest(Buffer.from(text)) : storable;
}
