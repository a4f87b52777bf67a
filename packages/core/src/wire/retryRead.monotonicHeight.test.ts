import { expect, test, vi } from "vitest";
import { MonotonicHeight } from "./retryRead.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

/** An endpoint that answers with these heights, then repeats the last. */
function answering(...heights: readonly bigint[]) {
  let reads = 0;
  const read = (): Promise<bigint> => {
    reads += 1;
    return Promise.resolve(heights[Math.min(reads, heights.length) - 1] ?? 0n);
  };
  return { floor: new MonotonicHeight("http://node", read), reads: () => reads };
}

test("retries a node that is behind an earlier read", async () => {
  const { floor, reads } = answering(7n, 5n, 6n, 8n);
  expect(await floor.getHeight()).toBe(7n);
  expect(await floor.getHeight()).toBe(8n);
  expect(reads()).toBe(4);
});

test("a block with a transaction raises the floor", async () => {
  const { floor } = answering(7n, 8n, 9n);
  floor.raise(9n);
  floor.raise(3n);
  expect(await floor.getHeight()).toBe(9n);
  expect(await floor.pin({})).toEqual({ height: 9n });
  expect(await floor.pin({ height: 2n })).toEqual({ height: 2n });
});

test("the highest of several nodes behind an endpoint counts", async () => {
  const { floor, reads } = answering(7n, 9n, 7n, 8n);
  expect(await floor.getHeight({ asks: 4 })).toBe(9n);
  expect(reads()).toBe(4);
});

test("an endpoint that stays behind is reported", async () => {
  const { floor } = answering(7n, 5n);
  await floor.getHeight();
  await expect(floor.getHeight()).rejects.toMatchObject({
    code: "NODE_BEHIND",
    shortMessage: expect.stringMatching(/^http:\/\/node\b.*\b5\b.*\b7\b/) as string,
  });
});
