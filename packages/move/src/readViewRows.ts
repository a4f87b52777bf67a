import type { Account, PinnedOptions, ScoreRow, Stage } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { encodeAddressOption, encodeU16, encodeU64 } from "./bcs.ts";
import type { ModuleReader } from "./moduleStore.ts";
import { readAddress } from "./moveAddress.ts";
import { readView } from "./readView.ts";

/** The most rows that the view `get_scores` returns. */
const pageRows = 1_000;

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
    const args = [encodeU64(stage), encodeU16(pageRows), encodeAddressOption(last)];
    const rows = await readView(reader, { name: "get_scores", args }, readRows, options);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    last = rows.at(-1)?.account;
  }
}

function readRows(value: Answer): readonly ScoreRow[] {
  const rows = value.field("scores").elements();
  return rows.map((row) => ({ account: readAddress(row.field("addr")), score: row.field("score").u64() }));
}
