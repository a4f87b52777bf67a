import { MetadataFault, orFault } from "./metadataFault.ts";

/**
 * Returns the text of a `data:` URI (RFC 2397): base64 or percent-encoded. Contracts also write JSON into it as it is, so
 * characters that need encoding stand for themselves. `fetch` would end at a `#`, and a page's policy may forbid it.
 *
 * @throws MetadataFault `METADATA_BAD_URI`, `METADATA_TOO_LARGE` or `METADATA_NOT_TEXT`.
 */
export function decodeData(uri: string, maxBytes: number): string {
  const [, type = "", base64, data] = /^data:([^,]*?)(;base64)?,(.*)$/is.exec(uri) ?? [];
  if (data === undefined) throw new MetadataFault("METADATA_BAD_URI", "has no comma");
  const [bytes, decoder] = orFault("METADATA_BAD_URI", () => {
    const octets = data
      .replace(/[\u0080-\uffff]+/g, encodeURIComponent)
      .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return [
      Uint8Array.from(base64 ? atob(octets) : octets, (octet) => octet.charCodeAt(0)),
      // A replaced character would change a name.
      new TextDecoder(/;charset="?([\w:.-]+)/i.exec(type)?.[1], { fatal: true }),
    ];
  });
  if (bytes.length > maxBytes) throw new MetadataFault("METADATA_TOO_LARGE", `has more than ${maxBytes} bytes`);
  return orFault("METADATA_NOT_TEXT", () => decoder.decode(bytes));
}
