import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Account } from "../account.ts";
import { InputError } from "../errors/inputError.ts";
import { u64Max } from "../stage.ts";
import { ScoreTable, type ScoreRow } from "./scoreTable.ts";

const [a, b, c] = ["a", "b", "c"].map((digit) => `0x${digit.repeat(40)}` as Account) as [Account, Account, Account];

function reasonsOf(rows: readonly ScoreRow[]): readonly string[] {
  try {
    ScoreTable.from(rows);
  } catch (error) {
    if (error instanceof InputError) return error.issues.map(({ row, reason }) => `${row} ${reason}`);
    throw error;
  }
  return [];
}

describe("ScoreTable", () => {
  it("keeps rows in their order, rows of 0 included", () => {
    const rows = [
      { account: c, score: 3n },
      { account: a, score: 0n },
      { account: b, score: u64Max - 3n },
    ];
    const table = ScoreTable.from(rows);
    expect([...table]).toEqual(rows);
    expect(table.size).toBe(3);
    expect(table.total).toBe(u64Max);
    expect(table.get(b)).toBe(u64Max - 3n);
    expect(table.get(a)).toBe(0n);
    expect(table.has(a)).toBe(true);
  });

  it("takes any spelling of an account", () => {
    const spellings = [
      "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475",
      "0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475",
      "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6",
      `0x${"0".repeat(24)}c5ea55d90ae84e307622f1b8b13535ec3eff0475`,
    ];
    for (const account of spellings.slice(0, 3)) {
      const table = ScoreTable.from([{ account, score: 7n }]);
      expect([...table.keys()]).toEqual(spellings.slice(0, 1));
      for (const other of spellings) {
        expect([table.get(other), table.has(other), table.rowOf(other)]).toEqual([7n, true, 1]);
      }
    }
    expect(() => ScoreTable.from([{ account: a, score: 1n }]).get("0x12")).toThrow(InputError);
    expect(() => ScoreTable.from([{ account: "0xC5ea55d90Ae84e307622f1b8B13535Ec3Eff0475", score: 1n }])).toThrow(
      InputError,
    );
  });

  it("has nothing for an account without a row", () => {
    const table = ScoreTable.from([]);
    expect(table.get(a)).toBeUndefined();
    expect(table.has(a)).toBe(false);
    expect([table.size, table.total]).toEqual([0, 0n]);
  });

  it("grows beyond its initial capacity", () => {
    const rows = Array.from({ length: 5000 }, (_, index) => ({
      account: `0x${index.toString(16).padStart(40, "0")}` as Account,
      score: BigInt(index),
    }));
    expect([...ScoreTable.from(rows)]).toEqual(rows);
  });

  it("digests the rows above 0, sorted by account", () => {
    const text = `${a},1\n${b},18446744073709551614\n`;
    const expected = createHash("sha256").update(text).digest("hex");
    const table = ScoreTable.from([
      { account: b, score: u64Max - 1n },
      { account: c, score: 0n },
      { account: a, score: 1n },
    ]);
    expect(table.digest()).toBe(expected);
    expect(table.digest()).toBe(expected);
  });

  it("digests an empty table as the empty text", () => {
    expect(ScoreTable.from([]).digest()).toBe(createHash("sha256").digest("hex"));
  });

  it("rejects every invalid row", () => {
    const rows = [
      { account: a, score: u64Max },
      { account: a, score: 1n },
      { account: b, score: -1n },
      { account: c, score: u64Max + 1n },
      { account: b, score: 1n },
      { account: c, score: 1n },
    ];
    expect(reasonsOf(rows)).toEqual([
      "2 ADDRESS_DUPLICATE",
      "3 SCORE_NEGATIVE",
      "4 SCORE_TOO_LARGE",
      "5 TOTAL_TOO_LARGE",
    ]);
  });
});
