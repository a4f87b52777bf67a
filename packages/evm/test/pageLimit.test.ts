import { createPublicClient, http } from "viem";
import { expect, test } from "vitest";
import { startHardhat } from "@vipscore/localnet";
import { readRows, rowsOf, sorted, stageOne, writeRows } from "@vipscore/testkit/adapter/rows";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { started } from "@vipscore/testkit/started";
import { connectEvm, type EvmProvider } from "../src/index.ts";
import { deployer, deployShape } from "./testContract.ts";

const node = started(() => startHardhat());

/** The node with this gas for each call; counts the calls that ran out of it. */
function limited(gas: number): EvmProvider & { readonly failures: () => number } {
  const client = createPublicClient({ transport: http(node.rpcUrl, { timeout: hangBoundMs, retryCount: 0 }) });
  let failures = 0;
  return {
    failures: () => failures,
    request: async ({ method, params = [] }) => {
      const [call, ...more] = params as readonly object[];
      const limitedParams = method === "eth_call" ? [{ ...call, gas: `0x${gas.toString(16)}` }, ...more] : params;
      try {
        return await client.request({ method, params: limitedParams } as never);
      } catch (error) {
        failures += 1;
        throw error;
      }
    },
  };
}

test("a page that exceeds the node's gas is read again with half the rows", async () => {
  const contract = await deployShape(node.rpcUrl, "ours");
  const rows = rowsOf(300);
  await writeRows(contract, rows);
  const { address } = contract.identity;
  const provider = limited(1_000_000);
  const reader = await connectEvm({ provider, address, account: deployer });
  expect(sorted(await readRows(reader, stageOne))).toEqual(sorted(rows));
  // 300 rows take more than 1,000,000 gas, and so do 250; 125 fit.
  expect(provider.failures()).toBe(3);
});

test("a node whose gas is too low for one row is reported", async () => {
  const contract = await deployShape(node.rpcUrl, "ours");
  await writeRows(contract, rowsOf(1));
  const { address } = contract.identity;
  const reader = await connectEvm({ provider: limited(30_000), address, account: deployer });
  await expect(readRows(reader, stageOne)).rejects.toMatchObject({ code: "NODE_ERROR" });
});
