import type { Account, ScoreRow, Stage } from "@vipscore/core";
import { encodeAddressOption, encodeU16, encodeU64 } from "./bcs.ts";
import type { ModuleReader } from "./moduleStore.ts";
import { accountOfJson } from "./moveAddress.ts";
import { isObject } from "@vipscore/core/http";
import { unreadable } from "./readField.ts";
import { callView } from "./viewFunction.ts";

/** The most rows that the view `get_scores` gives. */
const pageRows = 1_000;

/**
 * Yields the rows of a stage at one height from the view `get_scores`, in descending order of their accounts: the way to
 * read where an endpoint does not serve tables.
 */
export async function* readViewRows(
  reader: ModuleReader,
  stage: Stage,
  options: { readonly height: bigint; readonly signal?: AbortSignal },
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  for (let last: Account | undefined; ;) {
    const args = [encodeU64(stage), encodeU16(pageRows), encodeAddressOption(last)];
    const value = await callView(reader, "get_scores", args, options);
    const rows = rowsOf(reader, value);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    last = rows.at(-1)?.account;
  }
}

function rowsOf({ rest }: ModuleReader, value: unknown): readonly ScoreRow[] {
  const source = { rest, path: "view get_scores" };
  const list = isObject(value) ? value["scores"] : undefined;
  if (!Array.isArray(list)) return unreadable(source, "value", value);
  return list.map((row: unknown) => {
    if (!isObject(row)) return unreadable(source, "row", row);
    const { addr, score } = row;
    const account = accountOfJson(addr);
    if (account === undefined || typeof score !== "string" || !/^\d{1,20}$/.test(score)) {
      return unreadable(source, "row", row);
    }
    return { account, score: BigInt(score) };
  });
}
