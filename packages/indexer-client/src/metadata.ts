import { networkFault, readBody, withinTime } from "./http/attempt.ts";
import { IndexerBadAnswerError } from "./http/indexerErrors.ts";
import { decodeData } from "./metadata/decodeData.ts";
import { httpsUrl, locate, publicGateways, type Gateways } from "./metadata/locate.ts";
import { MetadataFault, orFault, type MetadataFailureReason } from "./metadata/metadataFault.ts";
import { readFields, type NftMetadata } from "./metadata/readFields.ts";
import { requestPublic } from "./metadata/requestPublic.ts";

export type { MetadataFailureReason } from "./metadata/metadataFault.ts";
export type { MetadataAttribute, NftMetadata } from "./metadata/readFields.ts";

/** The next gateway is asked if there is no answer after this time, in milliseconds. */
const nextGatewayMs = 3_000;

/** The longest delay of `setTimeout`, in milliseconds; it treats a longer one as 0. */
const maxTimeoutMs = 2 ** 31 - 1;

/** What {@link readMetadata} returns. */
export type MetadataResult =
  | { readonly ok: true; readonly metadata: NftMetadata }
  | {
      readonly ok: false;
      /** If several gateways failed, that of the last. */
      readonly reason: MetadataFailureReason;
      /** What happened at each host, in printable ASCII; for a log. */
      readonly details: string;
    };

/** Options of {@link readMetadata}. */
export interface ReadMetadataOptions {
  /**
   * Replaces the public gateways: https URLs with everything before the ID, such as `https://ipfs.io/ipfs/`. The next one
   * is asked when one fails, or after 3 seconds, and the first good answer is used. Links of the metadata use the first.
   */
  readonly gateways?:
    { readonly ipfs?: readonly string[] | undefined; readonly arweave?: readonly string[] | undefined } | undefined;
  /** Timeout of all requests together, in milliseconds. Default: 15,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum size of the document, in bytes after decompression. Default: 1,048,576. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the metadata of a token: a JSON document at an `https`, `ipfs`, `ar` or `data` URI, which is the author's and may
 * lead anywhere. If it is an image instead, that is the `image`. Every failure is a value with a reason; a missing field
 * is undefined.
 *
 * In Node, only public addresses are requested, also after a redirect, so that a token cannot make a server read from
 * its own network. In browsers and elsewhere the platform's rules apply; the server has to allow the page's origin.
 *
 * @param token a token of an indexer, or a URI.
 * @throws TypeError for a token without URI, a gateway that is not an https URL, and a limit that is not above 0; the
 * signal's reason when aborted.
 * @example
 * const result = await readMetadata(token);
 * if (result.ok) console.log(result.metadata.name, result.metadata.image);
 */
export async function readMetadata(
  token: string | { readonly nft: { readonly uri: string } },
  { gateways = {}, timeoutMs = 15_000, maxBytes = 1_048_576, signal }: ReadMetadataOptions = {},
): Promise<MetadataResult> {
  const uri: unknown = typeof token === "string" ? token : token.nft.uri;
  if (typeof uri !== "string") throw new TypeError("a token has its URI at nft.uri");
  if (!(timeoutMs > 0 && maxBytes > 0)) throw new TypeError("timeoutMs and maxBytes have to be above 0");
  const { ipfs = publicGateways.ipfs, arweave = publicGateways.arweave } = gateways;
  const reader: Reader = { gateways: { ipfs: checkGateways(ipfs), arweave: checkGateways(arweave) }, maxBytes };
  signal?.throwIfAborted();
  try {
    const read = (stop: AbortSignal) => readUri(uri.trim(), reader, stop);
    return { ok: true, metadata: await withinTime(Math.min(timeoutMs, maxTimeoutMs), signal, read) };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof MetadataFault)) throw error;
    // A document's author may have written parts of it.
    return { ok: false, reason: error.reason, details: error.message.replace(/[^ -~]/g, "?") };
  }
}

interface Reader {
  readonly gateways: Gateways;
  readonly maxBytes: number;
}

function checkGateways(given: readonly string[]): readonly string[] {
  const urls = given.map((text) => httpsUrl(`${text.replace(/\/+$/, "")}/`) ?? "?");
  if (urls.length > 0 && !urls.some((url) => /[?#]/.test(url))) return urls;
  throw new TypeError("a list of gateways has to have https URLs without user and query, at least one");
}

async function readUri(uri: string, reader: Reader, stop: AbortSignal): Promise<NftMetadata> {
  if (uri === "") throw new MetadataFault("METADATA_NO_URI", "the token has no URI");
  if (/^data:image\//i.test(uri)) return imageOnly(uri);
  if (/^data:/i.test(uri)) return readFields(decodeData(uri, reader.maxBytes), reader.gateways);
  return readFirst(locate(uri, reader.gateways), reader, stop);
}

const imageOnly = (image: string): NftMetadata => ({ image, attributes: [], raw: null });

/** Returns the first good answer. Starts with the first URL, and with the next when that one fails or is late. */
async function readFirst(
  [url = "", ...others]: readonly string[],
  reader: Reader,
  stop: AbortSignal,
): Promise<NftMetadata> {
  const first = readUrl(url, reader, stop);
  if (others.length === 0) return first;
  const wait = (late: AbortSignal) =>
    new Promise<unknown>((resolve) => {
      late.addEventListener("abort", resolve);
      first.catch(resolve);
    });
  const next = withinTime(nextGatewayMs, stop, wait).then(() => readFirst(others, reader, stop));
  const failBoth = (one: Error) =>
    next.catch((other: MetadataFault) => {
      throw new MetadataFault(other.reason, `${one.message}; ${other.message}`);
    });
  return Promise.any([first, next]).catch(() => first.catch(failBoth));
}

/** Reads one URL; closes its connection at the end. */
function readUrl(url: string, { gateways, maxBytes }: Reader, signal: AbortSignal): Promise<NftMetadata> {
  return withinTime(maxTimeoutMs, signal, async (stop) => {
    try {
      signal.throwIfAborted();
      const response = await requestPublic(url, stop);
      if (!response.ok) throw new MetadataFault("METADATA_STATUS", `answered HTTP status ${response.status}`);
      if (/^image\//i.test(response.headers.get("content-type") ?? "")) return imageOnly(url);
      const decode = await readBody(response, maxBytes, url);
      return readFields(orFault("METADATA_NOT_TEXT", decode), gateways);
    } catch (error) {
      const { reason, message } = faultOf(error, signal.aborted, maxBytes);
      throw new MetadataFault(reason, `${new URL(url).host} ${message}`);
    }
  });
}

function faultOf(error: unknown, isLate: boolean, maxBytes: number): MetadataFault {
  if (isLate) return new MetadataFault("METADATA_TIMEOUT", "did not finish its answer in time");
  if (error instanceof MetadataFault) return error;
  // What readBody throws.
  const isTooLong = error instanceof IndexerBadAnswerError;
  if (isTooLong) return new MetadataFault("METADATA_TOO_LARGE", `sent more than ${maxBytes} bytes`);
  return new MetadataFault("METADATA_UNREACHABLE", networkFault(error).slice(0, 200));
}
