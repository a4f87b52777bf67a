import { zeroAddress } from "viem";
import { afterEach, expect, test } from "vitest";
import { JsonRpcFailure, serveJsonRpc, startHardhat, type JsonRpcHandler } from "@vipscore/localnet";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { evmChain } from "../../src/chain/evm/evmChain.ts";
import { openStore } from "../../src/store/openStore.ts";
import { startFollowing } from "../follow/following.ts";
import { changesOf, forwardTo, startBehind, type Request, type RunningChain } from "./chains.ts";
import { minter, Wallet } from "./wallet.ts";

const { signal } = new AbortController();
const running: RunningChain[] = [];
afterEach(async () => {
  for (const node of running.splice(0)) await node.stop();
});

/** The demonstration collection with two tokens on a Hardhat chain with changed answers. */
async function startWithTwo(change: (request: Request) => JsonRpcHandler) {
  const node = await startBehind(change);
  running.push(node);
  const nft = await new Wallet(node.rpcUrl).deploy(await readDemoNft(), "Two", "TWO");
  await nft.send("mint", [minter.address]);
  await nft.send("mint", [minter.address]);
  return { node, nft };
}

test("the creator is unknown if the node has pruned the first transactions", async () => {
  let isOld = false;
  const { node, nft } = await startWithTwo((request) => (method, params) => {
    const isForgotten = method === "eth_getTransactionByHash" || method === "eth_getTransactionReceipt";
    return isForgotten && isOld ? Promise.resolve(null) : request(method, params);
  });
  isOld = true;
  const [collection] = await changesOf(node.rpcUrl, nft);
  expect(collection).toMatchObject({ kind: "collection", name: "Two", creator: zeroAddress });
  expect(collection).not.toHaveProperty("createdAt");
});

test("with a node that keeps only the newest state, names and URIs come from that state", async () => {
  const { node, nft } = await startWithTwo((request) => async (method, params) => {
    const head = await request("eth_blockNumber", []);
    if (method === "eth_call" && params[1] !== "latest" && params[1] !== head) {
      throw new JsonRpcFailure(-32000, "missing trie node 5e1ab3 (path ) state 0x5e1ab3 is not available");
    }
    return request(method, params);
  });
  expect(await changesOf(node.rpcUrl, nft)).toMatchObject([
    { kind: "collection", name: "Two" },
    { kind: "minted", tokenId: "1", uri: "https://nft.example.org/1" },
    { kind: "minted", tokenId: "2", uri: "https://nft.example.org/2" },
  ]);
});

test("a node that fails every call is an error, not a collection without a name", async () => {
  let isBroken = false;
  const { node, nft } = await startWithTwo((request) => (method, params) => {
    if (isBroken && method === "eth_call") throw new JsonRpcFailure(-32603, "internal error");
    return request(method, params);
  });
  isBroken = true;
  await expect(changesOf(node.rpcUrl, nft)).rejects.toMatchObject({ code: "NODE_ERROR", details: "internal error" });
});

test("a follower waits for a node that stops, and continues once it is back on the same port", async () => {
  const upstream = await startHardhat();
  running.push(upstream);
  const nft = await new Wallet(upstream.rpcUrl).deploy(await readDemoNft(), "Back", "BACK");
  const handle = forwardTo(upstream.rpcUrl);
  const first = await serveJsonRpc(handle, 0);
  const store = await openStore(":memory:");
  const following = startFollowing({ chain: evmChain({ jsonRpcUrl: first.url }), store });
  const untilIndexed = async (height: number) => {
    await expect.poll(async () => (await store.readChain())?.height).toBe(height);
  };
  await untilIndexed(nft.created.height);
  await first.close();
  const minted = await nft.send("mint", [minter.address]);
  await expect.poll(() => following.events.at(-1)?.type).toBe("waiting");
  const second = await serveJsonRpc(handle, Number(new URL(first.url).port));
  await untilIndexed(minted.height);
  await following.stop();
  await second.close();
  expect(await store.readCollection(nft.address)).toMatchObject({ name: "Back", tokenCount: 1 });
  await store.close();
});

test("a URI that a busy node does not give in time stays pending, also after a restart, and is read once it answers", async () => {
  let isBusy = true;
  const ofSecond = `0xc87b56dd${"2".padStart(64, "0")}`;
  const { node, nft } = await startWithTwo((request) => async (method, params) => {
    const [call] = params as readonly [{ readonly data?: string }?];
    if (isBusy && call?.data === ofSecond) return new Promise(() => undefined);
    return request(method, params);
  });
  const store = await openStore(":memory:");
  const page = { place: { offset: 0n }, limit: 10, reverse: false, orderBy: "token_number" } as const;
  const uris = async () => {
    const rows = await store.readTokens({ ...page, filter: { collectionAddr: nft.address } });
    return rows.map(({ uri }) => uri);
  };
  const follow = () => startFollowing({ chain: evmChain({ jsonRpcUrl: node.rpcUrl }), store });
  const busy = follow();
  // A node that is slow for another reason may answer for neither at first.
  await expect.poll(uris).toEqual(["https://nft.example.org/1", ""]);
  await expect.poll(() => busy.events.at(-1)?.type).toBe("waiting");
  expect(await store.readStatus()).toMatchObject({ pendingUris: 1, leftOut: 0 });
  await busy.stop();
  isBusy = false;
  const healthy = follow();
  await healthy.untilRead(3);
  await healthy.stop();
  expect(await uris()).toEqual(["https://nft.example.org/1", "https://nft.example.org/2"]);
  expect(await store.readStatus()).toMatchObject({ pendingUris: 0, leftOut: 0 });
  await store.close();
});

test("the signal ends an endless read", async () => {
  let isSlow = false;
  const { node } = await startWithTwo((request) => async (method, params) => {
    if (isSlow && method === "eth_getLogs") return new Promise(() => undefined);
    return request(method, params);
  });
  isSlow = true;
  const stopping = new AbortController();
  const chain = evmChain({ jsonRpcUrl: node.rpcUrl });
  const reading = chain.readBlocks(1, await chain.readHead(signal), { isKnown: () => false, signal: stopping.signal });
  reading.catch(() => undefined);
  const reason = new Error("enough");
  stopping.abort(reason);
  await expect(reading).rejects.toBe(reason);
});

test("minievm's Cosmos hashes are listed, and the EVM hash for a transaction without one", async () => {
  const cosmosHash = (hash: unknown) => String(hash).slice(2).split("").reverse().join("");
  const known = new Set<unknown>();
  const { node, nft } = await startWithTwo((request) => (method, params) => {
    if (method !== "cosmos_cosmosTxHashByTxHash") return request(method, params);
    // As in jsonrpc/namespaces/cosmos/api.go of minievm v1.2.18: hex without 0x, zeros for an unknown transaction.
    return Promise.resolve(known.has(params[0]) ? cosmosHash(params[0]) : "0".repeat(64));
  });
  const third = await nft.send("mint", [minter.address]);
  known.add(third.hash);
  const hashes = (await changesOf(node.rpcUrl, nft)).flatMap((change) => ("txHash" in change ? change.txHash : []));
  expect(hashes.slice(0, 2)).toEqual([expect.stringMatching(/^0x/), expect.stringMatching(/^0x/)]);
  expect(hashes[2]).toBe(cosmosHash(third.hash).toUpperCase());
});
