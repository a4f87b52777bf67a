import type { Account } from "./account.ts";
import type { SignalOptions } from "./readOptions.ts";
import { u64Max } from "./stage.ts";
import type { ScoreRow, ScoreTable } from "./table/scoreTable.ts";
import { inOrder, parallelPages } from "./time/inParallel.ts";

/** Where a page starts. */
export interface PageStart {
  /** The last account of the page before; undefined for the first page. */
  readonly after: Account | undefined;
  /** The rows that are left in the stage: a page with more is unreadable. */
  readonly left: bigint;
}

/** Reads a page of rows from each start. */
export type ReadPages = (
  starts: readonly PageStart[],
  signal: AbortSignal | undefined,
) => Promise<readonly (readonly ScoreRow[])[]>;

export interface PagesOptions extends SignalOptions {
  /** The most rows of a page. */
  readonly limit: number;
  /** Rows of the stage. Default: those before an empty page. */
  readonly count?: bigint | undefined;
  /** The scores that the stage is expected to have. Used if it has as many rows. Default: nothing is expected. */
  readonly table?: ScoreTable | undefined;
  /** The order of the pages. Default: ascending. */
  readonly compare?: (a: Account, b: Account) => number;
  /** The most pages that are read together. Default: 1. */
  readonly together?: number;
}

/**
 * Yields the rows of a stage in pages. A page starts after the last row of the one before: where this is guessed from the
 * accounts expected, several pages are requested at once. From the first page on that ends elsewhere, each is requested while the
 * caller uses the one before.
 */
export async function* readPages(
  read: ReadPages,
  { limit, count = u64Max, table, compare, together = 1, signal }: PagesOptions,
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  const isExpected = table !== undefined && BigInt(table.size) === count;
  const expected = isExpected ? Array.from(table.keys()).sort(compare) : [];
  let done = 0;
  let last: Account | undefined;
  for await (const rows of guessedPages(read, expected, { limit, together, signal })) {
    yield rows;
    done += rows.length;
    last = rows.at(-1)?.account;
    if (rows.length < limit || last !== expected[done - 1]) break;
  }
  let left = count - BigInt(done);
  const ask = async (after: Account | undefined) => (await read([{ after, left }], signal))[0] ?? [];
  let asked = left > 0n ? ask(last) : undefined;
  while (asked !== undefined) {
    const rows = await asked;
    // A short page need not be the last: a contract may return fewer rows than requested.
    if (rows.length === 0) return;
    left -= BigInt(rows.length);
    asked = left > 0n ? ask(rows.at(-1)?.account) : undefined;
    // Its failure is thrown in its turn.
    asked?.catch(() => {});
    yield rows;
  }
}

/** Yields the pages that start after every `limit` of the accounts expected. */
async function* guessedPages(
  read: ReadPages,
  expected: readonly Account[],
  { limit, together, signal }: Pick<PagesOptions, "limit" | "signal"> & { readonly together: number },
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  const starts = Array.from({ length: Math.ceil(expected.length / limit) }, (_, page): PageStart => {
    const first = page * limit;
    return { after: expected[first - 1], left: BigInt(expected.length - first) };
  });
  const groups = Array.from({ length: Math.ceil(starts.length / together) }, (_, group) =>
    starts.slice(group * together, (group + 1) * together),
  );
  for await (const pages of inOrder(groups, parallelPages, read, signal)) yield* pages;
}
