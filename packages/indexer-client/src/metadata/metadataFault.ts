/** Why metadata could not be read, stable across versions. */
export type MetadataFailureReason =
  /** The token has an empty URI. */
  | "METADATA_NO_URI"
  /** The URI's scheme is not `https`, `ipfs`, `ar` or `data`; `http` can be read and changed on its way. */
  | "METADATA_SCHEME"
  /** The URI is broken: no host, a user or password, not a content ID, wrong base64. */
  | "METADATA_BAD_URI"
  /** Node only: the URI or a redirect leads to an address that is not public, such as one of the own network. */
  | "METADATA_PRIVATE_ADDRESS"
  /** A redirect to another scheme than `https`, or more than five. */
  | "METADATA_REDIRECT"
  /** No connection, or one that broke; in a browser also a server that does not allow the page's origin. */
  | "METADATA_UNREACHABLE"
  /** No complete answer in time. */
  | "METADATA_TIMEOUT"
  /** An HTTP status other than success. */
  | "METADATA_STATUS"
  /** More bytes than `maxBytes`. */
  | "METADATA_TOO_LARGE"
  /** Bytes that are not text in UTF-8, or in the charset of a `data:` URI. */
  | "METADATA_NOT_TEXT"
  /** Text that is not JSON, such as a web page. */
  | "METADATA_NOT_JSON"
  /** JSON that is not an object, or whose `name` or `description` is not a text. */
  | "METADATA_BAD_FIELDS";

/** Ends an attempt to read metadata; callers of the package get it as a value. */
export class MetadataFault extends Error {
  readonly reason: MetadataFailureReason;

  constructor(reason: MetadataFailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Returns what `work` does.
 *
 * @throws MetadataFault with this reason if `work` throws.
 */
export function orFault<T>(reason: MetadataFailureReason, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new MetadataFault(reason, String(error).slice(0, 200));
  }
}
