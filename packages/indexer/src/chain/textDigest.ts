import { createHash } from "node:crypto";

/**
 * Returns the replacement of a text that is too long: `sha256:`, the digest of its bytes in lowercase hex, `;bytes=`
 * and their number.
 *
 * @example
 * textDigest(Buffer.from("abc")); // "sha256:ba7816bf…15ad;bytes=3"
 */
export function textDigest(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")};bytes=${bytes.length}`;
}

/** True if a text is such a digest. */
export function isDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64};bytes=\d+$/.test(text);
}
