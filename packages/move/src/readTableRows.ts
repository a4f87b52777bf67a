import type { ScoreRow } from "@vipscore/core";
import { decodeRow } from "./bcs.ts";
import { isObject, type RestAnswer, type RestClient } from "@vipscore/core/http";
import { readList, unreadable, type Source } from "./readField.ts";

/** Rows of one request: the answer has about 0.3 kB for each. */
const pageRows = 2_000;

/** Yields the rows of a table of scores at one height, in ascending order of their accounts' bytes. */
export async function* readTableRows(
  rest: RestClient,
  handle: string,
  options: { readonly height: bigint; readonly signal?: AbortSignal },
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  const path = `/initia/move/v1/tables/0x${handle}/entries`;
  const source = { rest, path };
  const ask = (key: string | undefined): Promise<RestAnswer> => {
    const query = { "pagination.limit": String(pageRows), ...(key === undefined ? {} : { "pagination.key": key }) };
    return rest.get(path, { ...options, query });
  };
  let asked: Promise<RestAnswer> | undefined = ask(undefined);
  let last: string | undefined;
  while (asked !== undefined) {
    const answer: RestAnswer = await asked;
    const key = nextKey(source, answer);
    // A node that names the same key again would be asked for ever.
    if (key !== undefined && key === last) unreadable(source, "next_key", key);
    last = key;
    asked = key === undefined ? undefined : ask(key);
    // The next page is under way while this one is decoded; its failure is reported when its turn comes.
    asked?.catch(() => {});
    yield readList(source, answer, "table_entries").map((entry) => rowOf(source, entry));
  }
}

function rowOf(source: Source, entry: unknown): ScoreRow {
  if (!isObject(entry)) return unreadable(source, "table entry", entry);
  const { key_bytes: key, value_bytes: value } = entry;
  if (typeof key !== "string" || typeof value !== "string") return unreadable(source, "table entry", entry);
  return decodeRow(Buffer.from(key, "base64"), Buffer.from(value, "base64")) ?? unreadable(source, "score", entry);
}

/** The key of the first row after a page; undefined after the last one. */
function nextKey(source: Source, answer: RestAnswer): string | undefined {
  const pagination = answer["pagination"];
  const key = isObject(pagination) ? (pagination["next_key"] ?? undefined) : undefined;
  if (key === undefined || key === "") return undefined;
  return typeof key === "string" ? key : unreadable(source, "next_key", key);
}
