import type { PinnedOptions, ScoreRow } from "@vipscore/core";
import type { Answer, RestClient } from "@vipscore/core/wire";
import { decodeRow } from "./bcs.ts";

/** Rows per request: each takes about 0.3 kB of the answer. */
const pageRows = 2_000;

interface Page {
  readonly rows: readonly ScoreRow[];
  /** The key of the first row after the page; undefined after the last page. */
  readonly next: string | undefined;
}

/** Yields the rows of a table of scores at one height, in ascending order of account bytes. */
export async function* readTableRows(
  rest: RestClient,
  handle: string,
  options: PinnedOptions,
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  const path = `/initia/move/v1/tables/0x${handle}/entries`;
  const asked = new Map<string | undefined, Promise<Page>>();
  /** The key of the current page; undefined for the first one. */
  let key: string | undefined;
  const ask = (from: string | undefined): Promise<Page> => {
    const known = asked.get(from);
    if (known !== undefined) return known;
    const read = (answer: Answer): Page => {
      const next = readNextKey(answer, from);
      // Request the next page while this one is decoded, but never more than one ahead.
      if (from === key) askAhead(next);
      return { rows: answer.field("table_entries").elements().map(readRow), next };
    };
    const query = { "pagination.limit": String(pageRows), ...(from === undefined ? {} : { "pagination.key": from }) };
    const page = rest.get(path, read, { ...options, query });
    asked.set(from, page);
    return page;
  };
  const askAhead = (next: string | undefined): void => {
    // Its failure is thrown in its turn.
    if (next !== undefined) ask(next).catch(() => {});
  };
  do {
    const { rows, next } = await ask(key);
    askAhead(next);
    asked.delete(key);
    yield rows;
    key = next;
  } while (key !== undefined);
}

function readRow(entry: Answer): ScoreRow {
  // Not through `field`, which takes a third longer: a stage has up to a million rows.
  const { key_bytes: key, value_bytes: value } = entry.object();
  const isRow = typeof key === "string" && typeof value === "string";
  const row = isRow ? decodeRow(Buffer.from(key, "base64"), Buffer.from(value, "base64")) : undefined;
  return row ?? entry.unreadable("an account and its score");
}

function readNextKey(answer: Answer, from: string | undefined): string | undefined {
  const field = answer.optional("pagination")?.optional("next_key");
  const key = field?.text();
  // A node that repeats a key would make this loop endless.
  if (key !== undefined && key === from) return field?.unreadable("the key of another page");
  return key === "" ? undefined : key;
}
