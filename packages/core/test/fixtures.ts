import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Account } from "../src/account.ts";
import { stage } from "../src/stage.ts";
import { ScoreTable } from "../src/table/scoreTable.ts";
import { MemoryScoreContract } from "./memoryScoreContract.ts";

export const stageOne = stage(1n);

/** The n-th test account. */
export function accountOf(n: number): Account {
  return `0x${(n + 1).toString(16).padStart(40, "0")}` as Account;
}

/** A table of `count` accounts; `scoreOf` returns the score of each. Default: 1,000 + n. */
export function tableOf(count: number, scoreOf: (n: number) => bigint = (n) => 1_000n + BigInt(n)): ScoreTable {
  return ScoreTable.from(Array.from({ length: count }, (_, n) => ({ account: accountOf(n), score: scoreOf(n) })));
}

export const operator = accountOf(1_000_000);

export function memoryContract(
  options: Pick<ConstructorParameters<typeof MemoryScoreContract>[0], "isReference"> = {},
): MemoryScoreContract {
  return new MemoryScoreContract({ signer: operator, ...options });
}

/** A path in a separate folder that is removed with the test. */
export function temporaryFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "vipscore-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, name);
}

/** Runs a generator to its end and returns everything that it yielded. */
export async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}
