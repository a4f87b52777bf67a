import { expect, test } from "vitest";
import { openEvmRpc } from "@vipscore/blocks/evm";
import { playNode, type PlayedAnswer, type ScriptedAnswer, type SeenCall } from "@vipscore/testkit/scriptedServer";
import { evmChain } from "../../src/chain/evm/evmChain.ts";
import { nftLogReader, transferTopic } from "../../src/chain/evm/nftLog.ts";
import { openStore } from "../../src/store/openStore.ts";
import { startFollowing } from "../follow/following.ts";

const { signal } = new AbortController();
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;
const refusal = (message: string): PlayedAnswer => ({ error: { code: -32000, message } });
const [full, head] = [7, 9];
const hashes = [word(71), word(72), word(73)];

/** The transfer of a transaction of the full block. */
function logOf(hash: string | undefined) {
  return {
    address: `0x${"ab".repeat(20)}`,
    topics: [transferTopic, word(0), word(7), hash],
    data: "0x",
    blockNumber: `0x${full.toString(16)}`,
    transactionIndex: `0x${hashes.indexOf(hash ?? "")}`,
    logIndex: "0x0",
    transactionHash: hash,
  };
}

interface Faults {
  /** For the logs of the full block by its hash. */
  readonly byHash: PlayedAnswer;
  /** For the receipt of its second transaction; the others have theirs. */
  readonly receipt: PlayedAnswer;
}

/** A node that refuses the logs of block 7, alone or in a range, except as the faults say. */
function play({ byHash, receipt }: Faults, whole?: (call: SeenCall) => ScriptedAnswer | undefined) {
  return playNode(
    ({ method, params }) => {
      if (method === "eth_chainId") return { result: "0x1" };
      if (method === "eth_blockNumber") return { result: `0x${head}` };
      if (method === "eth_getBlockByNumber") {
        const height = Number(params[0]);
        return { result: { hash: word(height), timestamp: "0x1", transactions: height === full ? hashes : [] } };
      }
      if (method === "eth_getTransactionReceipt") {
        return params[0] === hashes[1] ? receipt : { result: { logs: [logOf(String(params[0]))] } };
      }
      if (method === "eth_getTransactionByHash") return { result: null };
      if (method !== "eth_getLogs") return refusal("execution reverted");
      const { blockHash, fromBlock, toBlock, topics } = params[0] as {
        readonly blockHash?: string;
        readonly fromBlock: string;
        readonly toBlock: string;
        readonly topics: readonly string[];
      };
      if (blockHash !== undefined) return topics[0] === transferTopic ? byHash : { result: [] };
      return Number(fromBlock) <= full && full <= Number(toBlock) ? refusal("too many results") : { result: [] };
    },
    (calls) => ("method" in calls ? whole?.(calls) : undefined),
  );
}

const served: PlayedAnswer = { result: { logs: [logOf(hashes[1])] } };

test("a block that is refused is read by its hash", async () => {
  const { url } = await play({ byHash: { result: hashes.map(logOf) }, receipt: refusal("never asked") });
  const { logs, unread } = await nftLogReader(openEvmRpc(url), 64)(1, head, signal);
  expect(logs.map(({ txHash }) => txHash)).toEqual(hashes);
  expect(unread).toEqual([]);
});

test("a block that is also refused by its hash is read receipt by receipt", async () => {
  const { url } = await play({ byHash: refusal("query returned more than 2 results"), receipt: served });
  const { logs, unread } = await nftLogReader(openEvmRpc(url), 64)(1, head, signal);
  expect(logs.map(({ txHash }) => txHash)).toEqual(hashes);
  expect(unread).toEqual([]);
});

test("unreadable logs are requested again", async () => {
  let isFirst = true;
  const { url } = await play({ byHash: { result: hashes.map(logOf) }, receipt: refusal("never asked") }, (call) => {
    if (call.method !== "eth_getLogs" || !JSON.stringify(call.params).includes("blockHash") || !isFirst)
      return undefined;
    isFirst = false;
    return { body: { id: call.id, result: [{ ...logOf(hashes[0]), transactionHash: null }] } };
  });
  const { logs } = await nftLogReader(openEvmRpc(url), 64)(1, head, signal);
  expect(logs.map(({ txHash }) => txHash)).toEqual(hashes);
});

test("a redirect to another host is also refused for a block's logs", async () => {
  const other = await play({ byHash: { result: hashes.map(logOf) }, receipt: served });
  const redirect: ScriptedAnswer = { status: 307, headers: { location: other.url } };
  const { url } = await play({ byHash: refusal("never asked"), receipt: served }, ({ method, params }) =>
    method === "eth_getLogs" && JSON.stringify(params).includes("blockHash") ? redirect : undefined,
  );
  const reading = nftLogReader(openEvmRpc(url), 64)(full, full, signal);
  await expect(reading).rejects.toMatchObject({ code: "NODE_REDIRECTED" });
  expect(other.requests).toEqual([]);
});

test("a receipt that is always too large is left out after three attempts, and named", async () => {
  const details = "response too large";
  const { url } = await play({ byHash: refusal("too many results"), receipt: refusal(details) });
  const read = nftLogReader(openEvmRpc(url), 64);
  for (let attempt = 1; attempt < 3; attempt += 1) {
    const reading = read(full, full, signal);
    await expect(reading).rejects.toMatchObject({ code: "NODE_ERROR", details });
  }
  const { logs, unread } = await read(full, full, signal);
  expect(logs.map(({ txHash }) => txHash)).toEqual([hashes[0], hashes[2]]);
  expect(unread).toMatchObject([{ height: full, reason: expect.stringContaining(hashes[1] ?? "") as unknown }]);
});

test("a receipt that is refused for a reason other than its size is retried, and named", async () => {
  const { url } = await play({ byHash: refusal("too many results"), receipt: refusal("unauthorized") });
  const read = nftLogReader(openEvmRpc(url), 64);
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const reading = read(full, full, signal);
    await expect(reading).rejects.toMatchObject({ code: "NODE_ERROR", details: "unauthorized" });
    await expect(reading).rejects.toThrow(`block ${full}`);
  }
});

test("indexing continues after a block with a log above 16 MiB, or with an answer that breaks off", async () => {
  const huge = { body: `{"jsonrpc":"2.0","id":1,"result":{"logs":[{"data":"${"0".repeat(17_000_000)}"}]}}` };
  const { url } = await play({ byHash: refusal("too many results"), receipt: served }, ({ method, params }) =>
    method === "eth_getTransactionReceipt" && params[0] === hashes[1] ? huge : undefined,
  );
  const store = await openStore(":memory:");
  const following = startFollowing({ chain: evmChain({ jsonRpcUrl: url }), store });
  try {
    await following.untilIndexed(head);
    const leftOut = following.events.filter(({ type }) => type === "leftOut");
    expect(leftOut).toMatchObject([{ height: full, collectionAddr: undefined }]);
    expect(JSON.stringify(leftOut)).toContain(hashes[1]);
    expect(await store.readStatus()).toMatchObject({ height: head, leftOut: 1 });
  } finally {
    await following.stop();
    await store.close();
  }
});
