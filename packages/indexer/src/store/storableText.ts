import { toUSVString } from "node:util";
import { textDigest } from "../chain/textDigest.ts";

/**
 * Largest token id that is kept, in bytes of UTF-8: an index entry of PostgreSQL holds about 2,700 bytes (8191 / 3, the limit
 * of its B-trees), and addresses stand beside the id.
 */
const maxTokenIdBytes = 512;

/** Largest name that is kept as it is, in bytes of UTF-8. */
export const maxNameBytes = 1024;

/** Largest URI that is kept as it is, in bytes of UTF-8; tokens whose picture is in the URI itself have tens of thousands. */
export const maxUriBytes = 65_536;

/**
 * Why a token id cannot be kept; undefined when it can. PostgreSQL takes no U+0000 in a text, and UTF-8 has no lone
 * surrogates: with another character in their place two ids could become one.
 */
export function tokenIdFault(tokenId: string): string | undefined {
  if (tokenId.includes("\0")) return "a token id with U+0000 in it";
  if (toUSVString(tokenId) !== tokenId) return "a token id with half a character in it";
  const bytes = Buffer.byteLength(tokenId);
  return bytes > maxTokenIdBytes ? `a token id of ${bytes} bytes, more than ${maxTokenIdBytes}` : undefined;
}

/** The text with U+FFFD for what the databases do not take; the digest of one that has more bytes than that. */
export function storableText(text: string, maxBytes: number): string {
  // Before the replacement, which costs time in proportion.
  if (text.length > maxBytes) return textDigest(Buffer.from(text));
  const storable = toUSVString(text).replaceAll("\0", "\uFFFD");
  return Buffer.byteLength(storable) > maxBytes ? textDigest(Buffer.from(text)) : storable;
}
