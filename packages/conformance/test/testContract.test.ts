import { expect, test } from "vitest";
import { publishedCode, testContract } from "../src/index.ts";

test("the process that tests a contract ends at the signal, whatever it does", async () => {
  const stop = new AbortController();
  const job = { code: await publishedCode("evm"), seed: 1, isForeign: false, exceptions: new Map() };
  const reason = new Error("enough");
  const openChain = (): Promise<never> => {
    stop.abort(reason);
    return new Promise<never>(() => undefined);
  };
  const run = testContract(job, { openChain, onResult: () => undefined, signal: stop.signal });
  await expect(run).rejects.toBe(reason);
});
