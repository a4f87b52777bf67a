import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHardhatProvider, serveJsonRpc, type HardhatProvider, type LoopbackServer } from "@vipscore/localnet";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { collectSource } from "../collectSource.ts";
import { addTo } from "./exampleRun.ts";

let chain: HardhatProvider;
let server: LoopbackServer;

beforeAll(async () => {
  chain = await createHardhatProvider({ freeGas: true });
  server = await serveJsonRpc((method, params) => chain.request({ method, params }), 0);
});
afterAll(async () => {
  await server.close();
  await chain.close();
});

const payments = fc.array(
  fc.record({
    from: fc.nat(1),
    to: fc.nat(3),
    value: fc.oneof(fc.bigInt(0n, 10n ** 18n), fc.constantFrom(0n, 1n)),
    /** Empty blocks after it. */
    empty: fc.constantFrom(0, 0, 2),
  }),
  { minLength: 1, maxLength: 12 },
);

test("native balances after any block are those of an independent model", async () => {
  const senders = chain.accounts.map(({ address }) => address.toLowerCase());
  const accounts = [...senders, `0x${"77".repeat(20)}`, `0x${"88".repeat(20)}`];
  const balances = new Map<string, bigint>(accounts.map((account) => [account, 0n]));
  for (const sender of senders) balances.set(sender, 10_000n * 10n ** 18n);
  /** The balances after each block, from block 0. */
  const states = [[...balances]];
  await fc.assert(
    fc.asyncProperty(payments, fc.nat(), async (paid, chosen) => {
      const { length: start } = states;
      for (const { from, to, value, empty } of paid) {
        const [sender = "", receiver = ""] = [accounts[from], accounts[to]];
        const payment = { from: sender, to: receiver, value: `0x${value.toString(16)}`, gasPrice: "0x0" };
        await chain.request({ method: "eth_sendTransaction", params: [payment] });
        addTo(balances, sender, -value);
        addTo(balances, receiver, value);
        states.push([...balances]);
        for (let block = 0; block < empty; block += 1) {
          await chain.request({ method: "hardhat_mine", params: ["0x1"] });
          states.push([...balances]);
        }
      }
      await chain.request({ method: "hardhat_mine", params: ["0x1"] });
      states.push([...balances]);
      const last = start + (chosen % (states.length - 1 - start));
      const node = { vm: "evm", rpcUrl: server.url, chainId: chain.chainId } as const;
      const { rows } = await collectSource(node, `kind = "balances"\naccounts = "accounts.csv"`, {
        blocks: [1, last],
        files: { "accounts.csv": `address\n${accounts.join("\n")}\n` },
      });
      expect(rows).toEqual(states[last]);
    }),
    { seed: fuzzSeed(), numRuns: fuzzRuns(10) },
  );
});
