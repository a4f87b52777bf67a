import { afterEach, expect, test } from "vitest";
import {
  collections,
  getStatus,
  openIndexer,
  tokensByAccount,
  tokensByCollection,
  tokenTransactions,
  type Indexer,
  type NftToken,
} from "@vipscore/indexer-client";
import { startVipnode, type CosmosNode, type VipnodeVm } from "@vipscore/localnet";
import { until } from "@vipscore/testkit/until";
import { cosmosChain } from "../../src/chain/cosmos/cosmosChain.ts";
import { startIndexer } from "../../src/startIndexer.ts";
import { burn, createCollection, mint as mintMove, openMoveWallet, setUri, transfer } from "./moveWallet.ts";
import { mint, nftContract, openWasmWallet, type ContractCall } from "./wasmWallet.ts";

/** End to end on real nodes: a chain, the indexer that follows it, and the client that reads from the indexer. */

const other = "init1lf0swvvhy3vqautdemmvunfmp0grfrjgzznx9s";
const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function startNode(vm: VipnodeVm): Promise<CosmosNode> {
  const node = await startVipnode({ vm });
  ending.push(() => node.stop());
  return node;
}

async function startFollowing(node: CosmosNode): Promise<Indexer> {
  const running = await startIndexer({ source: { rpcNodeUrl: node.rpcUrl }, pollMs: 20 });
  ending.push(() => running.stop());
  expect(running.chainId).toBe(node.chainId);
  return openIndexer(running.url);
}

/** Waits until all blocks and URIs are indexed. */
async function untilIndexed(node: CosmosNode, indexer: Indexer): Promise<void> {
  const head = await cosmosChain({ rpcNodeUrl: node.rpcUrl }).readHead(new AbortController().signal);
  await until(`block ${head} and its URIs in the index`, async () => {
    const status = await getStatus(indexer);
    return status.height >= head && "pending_uris" in status && status.pending_uris === 0;
  });
}

async function readAll<T>(listing: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of listing) all.push(item);
  return all;
}

function plain({ nft, owner }: NftToken): readonly string[] {
  return [nft.token_id, nft.uri, owner];
}

test("CW-721: changes before and during indexing are listed", async () => {
  const node = await startNode("wasm");
  const wallet = await openWasmWallet(node);
  ending.push(async () => wallet.client.disconnect());
  const contract = await wallet.make(nftContract("Cats", wallet.address));
  const ids = Array.from({ length: 300 }, (_, index) => String(1000 + index));
  const mints = ids.map((id): ContractCall => [contract, mint(id, wallet.address, `ipfs://${id}`)]);
  await wallet.call(...mints.slice(0, 150));
  const indexer = await startFollowing(node);
  await wallet.call(...mints.slice(150));
  await wallet.call([contract, { transfer_nft: { recipient: other, token_id: "1007" } }]);
  await wallet.call([contract, { burn: { token_id: "1299" } }]);
  await untilIndexed(node, indexer);

  const [collection, ...more] = await readAll(collections(indexer));
  expect(more).toEqual([]);
  expect(collection?.collection).toMatchObject({ name: "Cats", creator: wallet.address });
  const listing = tokensByCollection(indexer, contract, { reverse: false });
  const expected = ids.slice(0, -1).map((id) => [id, `ipfs://${id}`, id === "1007" ? other : wallet.address]);
  expect((await readAll(listing)).map(plain)).toEqual(expected);
  const held = await readAll(tokensByAccount(indexer, other));
  expect(held.map(plain)).toEqual([["1007", "ipfs://1007", other]]);
});

test("Move: changes before and during indexing are listed", async () => {
  const node = await startNode("move");
  const wallet = openMoveWallet(node);
  const to = `0x${"fa".repeat(32)}`;
  await wallet.call(createCollection("Cats"), mintMove("Cats", "one", "ipfs://1"), mintMove("Cats", "two", ""));
  const indexer = await startFollowing(node);
  await untilIndexed(node, indexer);
  const [collection] = await readAll(collections(indexer));
  const collectionAddr = collection?.object_addr ?? "";
  const listing = tokensByCollection(indexer, collectionAddr, { reverse: false });
  const [one, two] = await readAll(listing);
  const minted = await wallet.call(mintMove("Cats", "three", "ipfs://3", to));
  await wallet.call(setUri(two?.object_addr ?? "", "ipfs://2"), burn(one?.object_addr ?? ""));
  const moved = await wallet.call(transfer(two?.object_addr ?? "", to));
  await untilIndexed(node, indexer);

  const tokens = await readAll(listing);
  const owner = tokens[0]?.owner ?? "";
  expect(tokens.map(plain)).toEqual([
    ["three", "ipfs://3", owner],
    ["two", "ipfs://2", owner],
  ]);
  expect(tokens[1]?.object_addr).toBe(two?.object_addr);
  expect((await readAll(tokensByAccount(indexer, to))).map(plain)).toHaveLength(2);
  const told = await readAll(tokenTransactions(indexer, collectionAddr, "three"));
  expect(told.map(({ txhash }) => txhash)).toEqual([minted]);
  const twice = await readAll(tokenTransactions(indexer, collectionAddr, "two"));
  expect(twice.map(({ txhash }) => txhash)).toContain(moved);
});
