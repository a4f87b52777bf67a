import { afterEach, expect, test, vi } from "vitest";
import { stopClock } from "../../test/virtualTime.ts";
import { NodeError } from "../errors/nodeError.ts";
import { retryRead } from "./retryRead.ts";

vi.mock("../push/pause.ts", () => import("../../test/virtualTime.ts"));
afterEach(() => vi.useRealTimers());

const options = { endpoint: "http://node", isPassing: () => false, signal: undefined };
const refusal = (details: string): NodeError => new NodeError("refused", { code: "NODE_ERROR", details });

test.each([
  // recorded on minimove; Cosmos SDK 0.50
  "cannot query with height in the future; please provide a valid height: invalid height",
  "failed to load state at height 90; version does not exist (latest height: 80)",
  // CometBFT 0.38
  "height 90 must be less than or equal to the current blockchain height 80",
  // minievm, geth
  "requested height is greater than the latest block height",
  "header not found",
])("a node that does not have the height yet is waited for: %s", async (details) => {
  stopClock(() => undefined);
  let reads = 0;
  const read = (): Promise<string> => {
    reads += 1;
    return reads < 20 ? Promise.reject(refusal(details)) : Promise.resolve("there");
  };
  expect(await retryRead(read, options)).toBe("there");
});

test("one that never has it is named as behind, with its own text", async () => {
  stopClock(() => undefined);
  const read = (): Promise<never> => Promise.reject(refusal("header not found"));
  await expect(retryRead(read, options)).rejects.toMatchObject({ code: "NODE_BEHIND", details: "header not found" });
});

test.each([
  "height 3 is not available, lowest height is 10",
  "failed to load state at height 9; version does not exist (latest height: 900)",
  "no such module",
])("not waited for: %s", async (details) => {
  const read = vi.fn<() => Promise<never>>(() => Promise.reject(refusal(details)));
  await expect(retryRead(read, options)).rejects.toMatchObject({ code: "NODE_ERROR", details });
  expect(read).toHaveBeenCalledTimes(1);
});
