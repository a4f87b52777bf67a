import { expect, it } from "vitest";
import type { Account } from "../account.ts";
import { parseAccount } from "../account/readAccount.ts";
import { ScoreTable } from "../table/scoreTable.ts";
import { StageScores } from "./readStage.ts";

function accountOf(number: number): Account {
  return parseAccount(`0x${String(number).padStart(40, "0")}`, { accountBytes: [20] });
}

const table = ScoreTable.from([1, 2, 3].map((number) => ({ account: accountOf(number), score: 7n })));
const rows: readonly (readonly [Account, bigint])[] = [
  [accountOf(9), 90n],
  [accountOf(3), 0n],
  [accountOf(1), 10n],
];

it.each([
  ["without a table", undefined],
  ["with a table", table],
  ["with another table", ScoreTable.from([{ account: accountOf(9), score: 1n }])],
])("holds the same as a map, read %s", (_, given) => {
  const scores = new StageScores(given);
  const model = new Map<Account, bigint>();
  for (const [account, score] of [...rows, [accountOf(1), 11n] as const]) {
    scores.set(account, score);
    model.set(account, score);
  }
  expect(new Map(scores)).toEqual(model);
  expect(scores.size).toBe(3);
  expect(scores.total).toBe(101n);
  expect([accountOf(1), accountOf(2), accountOf(3)].map((account) => scores.get(account))).toEqual([
    11n,
    undefined,
    0n,
  ]);
  expect([...scores.outside(table)]).toEqual([[accountOf(9), 90n]]);
});
