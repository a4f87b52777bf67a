import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { playNode } from "@vipscore/testkit/scriptedServer";
import { openEvmRpc } from "../../src/evm/evmRpc.ts";
import { readEvmTransactions, type EvmTransaction } from "../../src/evm/readEvmTransactions.ts";

interface Recording {
  readonly blocks: readonly { readonly number: string; readonly hash: string }[];
  readonly receipts: readonly { readonly transactionHash: string; readonly gasUsed: string }[];
}

const { blocks, receipts } = JSON.parse(
  readFileSync(new URL("recordings/minievmTransactions.json", import.meta.url), "utf8"),
) as Recording;

test("transactions of minievm, which counts them from 1, are read with their receipts", async () => {
  const { url } = await playNode(({ method, params: [first] }) => {
    if (method === "eth_getBlockByNumber") return { result: blocks.find(({ number }) => number === first) ?? null };
    if (method !== "eth_getTransactionReceipt")
      return { error: { code: -32601, message: "the method does not exist" } };
    return { result: receipts.find(({ transactionHash }) => transactionHash === first) ?? null };
  });
  const [first = 0, last = 0] = blocks.map(({ number }) => Number(number));
  const found: EvmTransaction[] = [];
  const range = { first, last, signal: new AbortController().signal };
  for await (const part of readEvmTransactions(openEvmRpc(url), range)) {
    expect([part.first, part.last, part.lastHash]).toEqual([first, last, blocks[1]?.hash]);
    found.push(...part.transactions);
  }
  const call = { to: "0xc1820b4e63261eaf8dc2efa3a693797579d7833f", selector: "0x45a2b96b", transactionIndex: 1 };
  const outcomes = receipts.map(({ transactionHash: txHash, gasUsed }) => ({ txHash, gasUsed: BigInt(gasUsed) }));
  expect(found).toMatchObject([
    { ...call, ...outcomes[0], height: first, from: "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475", success: true },
    { ...call, ...outcomes[1], height: last, from: "0x8cad25ec80a10522c258e2f59abf0006c9445d1b", success: false },
  ]);
});
