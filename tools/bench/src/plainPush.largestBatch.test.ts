import { expect, it } from "vitest";
import { largestBatch } from "./plainPush.ts";

const refusalOf = (rows: number) => `${rows} are too many`;
const upTo = (limit: number) => (rows: number) =>
  rows > limit ? Promise.reject(new Error(refusalOf(rows))) : Promise.resolve();

it.each([1, 2, 63, 64, 65, 127, 128, 700, 999])("finds a limit of %i rows", async (limit) => {
  expect(await largestBatch(1_000, upTo(limit))).toEqual({ rows: limit, refusal: refusalOf(limit + 1) });
});

it("takes all rows if nothing is refused", async () => {
  expect(await largestBatch(100, upTo(100))).toEqual({ rows: 100, refusal: undefined });
  expect(await largestBatch(1, upTo(100))).toEqual({ rows: 1, refusal: undefined });
});

it("rethrows the refusal of a single row", async () => {
  await expect(largestBatch(100, upTo(0))).rejects.toThrow(refusalOf(1));
});
