import { expect } from "vitest";
import type { Chain, Contract } from "./chain.ts";
import { readWords } from "./readWords.ts";
import { groupSlot, inBucketsSlot, presentSlot, stageSlot } from "./storageSlots.ts";

/** A stage as storage holds it. */
export interface StoredStage {
  readonly number: bigint;
  readonly revision: bigint;
  readonly isFinalized: boolean;
  /** Ids that have a score, 0 included. */
  readonly ids: readonly number[];
  /** Scores that are not 0. */
  readonly scores: readonly (readonly [id: number, score: bigint])[];
}

const U64 = 2n ** 64n - 1n;
/** One more than the highest id whose words are read: a number of whole buckets. */
const ID_BOUND = 18 * 256;
const allGroups = Array.from({ length: ID_BOUND / 4 }, (_, group) => group);

/**
 * Reads a stage and checks the invariants of `Stage`.
 *
 * @param groups - "scored" reads the scores of ids whose bits are set, "all" every score that the stage can have: a score without
 * a bit that the total omits too is found only there, and takes a thousand words.
 * @returns null if there is no such stage.
 */
export async function readStage(
  chain: Chain,
  contract: Contract,
  number: bigint,
  groups: "scored" | "all",
): Promise<StoredStage | null> {
  const [info, ...counted] = await readWords(chain, contract, [
    stageSlot(number),
    ...[0, 1].map((span) => inBucketsSlot(number, span)),
    ...Array.from({ length: ID_BOUND / 256 }, (_, bucket) => presentSlot(number, bucket)),
  ]);
  const accounts = (await contract.read.accountCount()) as number;
  expect(accounts).toBeLessThan(ID_BOUND - 1);
  if (info === undefined || info === 0n) return null;

  const [spans, present] = [counted.slice(0, 2), counted.slice(2)];
  const idsOf = present.map((word, bucket) => bitsOf(word).map((bit) => 256 * bucket + bit));
  const counts = idsOf.map(({ length }) => BigInt(length));
  const ids = idsOf.flat();
  expect(ids.filter((id) => id < 1 || id > accounts)).toEqual([]);
  expect(spans.flatMap((word) => lanes(word, 16n))).toEqual([...counts, ...Array.from({ length: 14 }, () => 0n)]);

  const read = groups === "all" ? allGroups : [...new Set(ids.map((id) => Math.floor(id / 4)))];
  const words = await readWords(
    chain,
    contract,
    read.map((group) => groupSlot(number, group)),
  );
  const scores = words.flatMap((word, i) =>
    lanes(word, 64n).map((score, lane) => [4 * read[i] + lane, score] as const),
  );
  const scored = scores.filter(([, score]) => score !== 0n);
  expect(ids).toEqual(expect.arrayContaining(scored.map(([id]) => id)));
  expect(lanes(info, 64n).slice(0, 2)).toEqual([number, sum(scored.map(([, score]) => score))]);
  expect((info >> 192n) & (2n ** 32n - 1n)).toBe(BigInt(ids.length));
  return { number, revision: (info >> 128n) & U64, isFinalized: info >> 224n !== 0n, ids, scores: scored };
}

function lanes(word: bigint, width: bigint): bigint[] {
  return Array.from({ length: Number(256n / width) }, (_, i) => (word >> (width * BigInt(i))) % (1n << width));
}

function bitsOf(word: bigint): number[] {
  return word === 0n ? [] : lanes(word, 1n).flatMap((bit, i) => (bit === 1n ? [i] : []));
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
