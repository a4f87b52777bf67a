import { expect, test } from "vitest";
import type { StageInfo } from "../scoreContract.ts";
import { stage, u64Max } from "../stage.ts";
import { listLastStages } from "./readStage.ts";

/** A contract whose stages run from `first` to `last`, and the number of reads. */
function contractWith(first: bigint, last: bigint) {
  let reads = 0;
  const getStage = (number: bigint): Promise<StageInfo | undefined> => {
    reads += 1;
    const exists = number >= first && number <= last;
    const info = { stage: stage(number), total: 0n, isFinalized: number < last, count: undefined, revision: undefined };
    return Promise.resolve(exists ? info : undefined);
  };
  return { contract: { getStage }, reads: () => reads };
}

test.each([
  [1n, 1n, [1n]],
  [1n, 3n, [1n, 2n, 3n]],
  [7n, 12n, [8n, 9n, 10n, 11n, 12n]],
  [1n, 1_000_000n, [999_996n, 999_997n, 999_998n, 999_999n, 1_000_000n]],
  [u64Max - 1n, u64Max, [u64Max - 1n, u64Max]],
])("lists the last five of the stages %s to %s with few reads", async (first, last, listed) => {
  const { contract, reads } = contractWith(first, last);
  const found = await listLastStages(contract, { first: stage(first), limit: 5 });
  expect(found.map((info) => info.stage)).toEqual(listed);
  expect(reads()).toBeLessThan(60);
});
