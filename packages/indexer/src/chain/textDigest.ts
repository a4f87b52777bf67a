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

/** Maximum bytes of a URI that is stored and served as it is, unless a person sets another: a picture inside it fits. */
export const defaultMaxUriBytes = 1_048_576;

/** Why a URI is left out that its digest replaces. */
export function tooLong(bytes: number, longest: number): string {
  return `${bytes} bytes, more than ${longest}`;
}
