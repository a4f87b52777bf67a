import { expect, test } from "vitest";
import { openEvmRpc } from "@vipscore/blocks/evm";
import { playNode, type PlayedAnswer } from "@vipscore/testkit/scriptedServer";
import { evmChain } from "../../src/chain/evm/evmChain.ts";
import { metadataUpdateTopic, nftLogReader, transferTopic } from "../../src/chain/evm/nftLog.ts";
import { openStore } from "../../src/store/openStore.ts";
import { startFollowing } from "../follow/following.ts";

const { signal } = new AbortController();
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

/** Reads a block with one log, a transfer with changes. */
async function readChanged(changed: object) {
  const log = {
    address: `0x${"AB".repeat(20)}`,
    topics: [transferTopic, word(0), word(7), word(2)],
    data: "0x",
    blockNumber: "0x2",
    transactionIndex: "0x0",
    logIndex: "0x0",
    transactionHash: word(2),
    ...changed,
  };
  const { url } = await playNode(({ method }) => ({ result: method === "eth_getLogs" ? [log] : {} }));
  return nftLogReader(openEvmRpc(url), 10)(1, 5, signal);
}

test.each([
  ["three topics", { topics: [transferTopic, word(1), word(2)], data: word(3) }],
  ["another event", { topics: [word(9), word(1), word(2), word(3)] }],
  ["a MetadataUpdate whose argument is indexed", { topics: [metadataUpdateTopic, word(3)] }],
  ["a MetadataUpdate without an argument", { topics: [metadataUpdateTopic] }],
  ["no topics", { topics: [] }],
])("a log with %s is not about a token", async (_, changed) => {
  expect(await readChanged(changed)).toMatchObject({ logs: [], unread: [] });
});

test.each([
  ["no block", { blockNumber: null }],
  ["a short address", { address: "0xab" }],
  ["invalid topics", { topics: "all" }],
  ["an invalid hash", { transactionHash: 7 }],
])("a log with %s is not a valid answer", async (_, changed) => {
  await expect(readChanged(changed)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
});

test("indexing continues after a block with a log above 16 MiB", async () => {
  const [full, head, hash] = [7, 9, word(72)];
  const refused: PlayedAnswer = { error: { code: -32000, message: "too many results" } };
  const { url } = await playNode(
    ({ method, params }) => {
      if (method === "eth_chainId") return { result: "0x1" };
      if (method === "eth_blockNumber") return { result: `0x${head}` };
      if (method === "eth_getBlockByNumber") {
        const height = Number(params[0]);
        return { result: { hash: word(height), timestamp: "0x1", transactions: height === full ? [hash] : [] } };
      }
      if (method === "eth_getTransactionByHash") return { result: null };
      if (method !== "eth_getLogs") return refused;
      const { blockHash, fromBlock, toBlock } = params[0] as Readonly<Record<string, string>>;
      return blockHash !== undefined || (Number(fromBlock) <= full && full <= Number(toBlock))
        ? refused
        : { result: [] };
    },
    (calls) =>
      "method" in calls && calls.method === "eth_getTransactionReceipt"
        ? { body: `{"jsonrpc":"2.0","id":1,"result":{"logs":[{"data":"${"0".repeat(17_000_000)}"}]}}` }
        : undefined,
  );
  const store = await openStore(":memory:");
  const following = startFollowing({ chain: evmChain({ jsonRpcUrl: url }), store });
  try {
    await following.untilIndexed(head);
    const leftOut = following.events.filter(({ type }) => type === "leftOut");
    expect(leftOut).toMatchObject([{ height: full, collectionAddr: undefined }]);
    expect(JSON.stringify(leftOut)).toContain(hash);
    expect(await store.readStatus()).toMatchObject({ height: head, leftOut: 1 });
  } finally {
    await following.stop();
    await store.close();
  }
});
