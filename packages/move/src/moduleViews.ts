import type { Account, PinnedOptions, ReadOptions, ScoreRow, Stage, StageInfo } from "@vipscore/core";
import { RestError, type Answer, type ReadAnswer, type RestClient } from "@vipscore/core/wire";
import { decodeRow, encodeAddressOption, encodeU16, encodeU64 } from "./bcs.ts";
import { moduleName, type ModuleReader } from "./moduleStore.ts";
import { readAddress } from "./moveAddress.ts";

/** A view of the module, and its BCS arguments. */
export interface ViewCall {
  readonly name: string;
  /** Default: none. */
  readonly args?: readonly Buffer[];
}

/**
 * Reads the JSON value that a view of the module returns at a height (default: the newest), with 64-bit integers as
 * strings.
 *
 * @throws RestError when the view aborts or does not exist; NodeError.
 */
export function readView<T>(
  { rest, address }: ModuleReader,
  { name, args = [] }: ViewCall,
  read: ReadAnswer<T>,
  options: ReadOptions,
): Promise<T> {
  const body = {
    address,
    module_name: moduleName,
    function_name: name,
    type_args: [],
    args: args.map((arg) => arg.toString("base64")),
  };
  return rest.query("/initia/move/v1/view", body, (answer) => read(answer.field("data").json()), options);
}

/** True if the VM did not complete a view: the module does not have it, or it aborted. */
export function isViewFailure(error: unknown): boolean {
  return error instanceof RestError && /VM (error|failure|aborted)/.test(error.details ?? "");
}

/** Reads a stage with its revision in one call, from the view `get_stage` of our module; undefined if it was never created. */
export function readStageInfo(
  reader: ModuleReader,
  stage: Stage,
  options: ReadOptions,
): Promise<StageInfo | undefined> {
  const read = (value: Answer): StageInfo | undefined => {
    if (!value.field("exists").boolean()) return undefined;
    return {
      stage,
      total: value.field("total_score").u64(),
      isFinalized: value.field("is_finalized").boolean(),
      count: value.field("score_count").u64(),
      revision: value.field("revision").u64(),
    };
  };
  return readView(reader, { name: "get_stage", args: [encodeU64(stage)] }, read, options);
}

/** The most rows that the view `get_scores` returns. */
const viewPageRows = 1_000;

/**
 * Yields the rows of a stage at one height from the view `get_scores`, in descending order of account. For endpoints that
 * do not serve tables.
 */
export async function* readViewRows(
  reader: ModuleReader,
  stage: Stage,
  options: PinnedOptions,
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  for (let last: Account | undefined; ;) {
    const args = [encodeU64(stage), encodeU16(viewPageRows), encodeAddressOption(last)];
    const rows = await readView(reader, { name: "get_scores", args }, readScoreRows, options);
    if (rows.length > 0) yield rows;
    if (rows.length < viewPageRows) return;
    last = rows.at(-1)?.account;
  }
}

function readScoreRows(value: Answer): readonly ScoreRow[] {
  const rows = value.field("scores").elements();
  return rows.map((row) => ({ account: readAddress(row.field("addr")), score: row.field("score").u64() }));
}

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
      return { rows: answer.field("table_entries").elements().map(readScoreRow), next };
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

function readScoreRow(entry: Answer): ScoreRow {
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
