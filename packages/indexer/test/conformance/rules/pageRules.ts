/** The row after which a keyset page begins. */
export interface RowPlace {
  readonly height: number;
  readonly tokenId: string;
}

/** Start of a page; "anywhere" for a key whose shape the rules do not cover. */
export type Place = { readonly offset: bigint } | { readonly after: RowPlace } | "anywhere";

/** One reading of a request for a page. */
export interface PageRequest {
  readonly limit: bigint;
  readonly place: Exclude<Place, "anywhere">;
  readonly count: boolean;
  readonly reverse: boolean;
}

/** The value that a text is read as, or its error; undefined for a text that the rules do not cover. */
export type Reading<T> = { readonly value: T } | { readonly error: string | undefined };

/** The parameters of every listing. */
export interface PageReadings {
  readonly limit: readonly Reading<bigint>[];
  readonly place: readonly Reading<Place>[];
  readonly count: readonly Reading<boolean>[];
  readonly reverse: readonly Reading<boolean>[];
}

const defaultLimit = 100n;

/** Above this, a text of digits may be read as a number too large or as not a number. */
const maxInteger = 2n ** 63n - 1n;

/** Reads the parameters of every listing, each in all ways that the rules allow. */
export function readPageParameters(query: URLSearchParams): PageReadings {
  return {
    limit: readLimit(query.get("pagination.limit")),
    place: readPlace(query),
    count: readBoolean(query.get("pagination.count_total")),
    reverse: readBoolean(query.get("pagination.reverse")),
  };
}

function readLimit(text: string | null): readonly Reading<bigint>[] {
  return readInteger(text, defaultLimit).map((reading) =>
    "value" in reading && (reading.value < 1n || reading.value > 1000n)
      ? { error: "pagination.limit must be between 1 and 1000" }
      : reading,
  );
}

/** Reads a decimal; anything else silently becomes the default. */
function readInteger(text: string | null, fallback: bigint): readonly Reading<bigint>[] {
  const silent = { value: fallback };
  if (text === null || !/^[+-]?\d+$/.test(text)) return [silent];
  const number = BigInt(text.replace("+", ""));
  const isPlain = text === String(number);
  const isOpen = !isPlain || number > maxInteger || number < -maxInteger;
  return isOpen ? [{ value: number }, silent] : [{ value: number }];
}

function readBoolean(text: string | null): readonly Reading<boolean>[] {
  if (text === "false") return [{ value: false }];
  // Other spellings that Go reads as false; the API's page only mentions `true` and `false`.
  const isOpen = text !== null && ["0", "f", "F", "FALSE", "False"].includes(text);
  return isOpen ? [{ value: true }, { value: false }] : [{ value: true }];
}

function readPlace(query: URLSearchParams): readonly Reading<Place>[] {
  const key = query.get("pagination.key");
  const offsets = readInteger(query.get("pagination.offset"), 0n).flatMap((reading): readonly Reading<Place>[] => {
    if (!("value" in reading)) return [reading];
    // Seen in the public source of initia-labs/rollytics; the API's page does not cover negative offsets.
    if (reading.value < 0n) return [{ error: "pagination.offset cannot be negative" }];
    return [{ value: { offset: reading.value } }];
  });
  if (key === null || key === "") return offsets;
  // The key overrides the offset, but an invalid offset may still be refused.
  return [...readKey(key), ...offsets.filter((reading) => "error" in reading)];
}

function readKey(key: string): readonly Reading<Place>[] {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(key)) {
    return [{ error: "pagination.key must be a valid base64 encoded string" }];
  }
  const text = Buffer.from(key, "base64").toString();
  if (text.trimStart().startsWith("{")) return readRowKey(text);
  const noInteger = { error: "pagination.key must decode to a nonnegative integer" };
  if (!/^[+-]?\d+$/.test(text)) return [noInteger];
  const offset = BigInt(text.replace("+", ""));
  if (offset < 0n) return [noInteger];
  const value = { value: { offset } };
  return text === String(offset) && offset <= maxInteger ? [value] : [value, noInteger];
}

function readRowKey(text: string): readonly Reading<Place>[] {
  // There is no recording of this error, or of a key with other fields.
  const open: readonly Reading<Place>[] = [{ value: "anywhere" }, { error: undefined }];
  let row: { readonly height?: unknown; readonly token_id?: unknown };
  try {
    row = JSON.parse(text) as typeof row;
  } catch {
    return [{ error: undefined }];
  }
  const { height, token_id: tokenId, ...others } = row;
  const isRow = Number.isSafeInteger(height) && typeof tokenId === "string" && Object.keys(others).length === 0;
  if (!isRow || text !== text.trim()) return open;
  // No database has such a text, and some reject it in a query.
  if (tokenId.includes("\0") || Buffer.from(tokenId).toString() !== tokenId) return open;
  return [{ value: { after: { height: Number(height), tokenId } } }];
}
