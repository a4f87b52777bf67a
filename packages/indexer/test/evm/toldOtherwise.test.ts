import { toEventSelector, zeroAddress } from "viem";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { CompiledContract } from "@vipscore/testkit/compileSolidity";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { evmChain } from "../../src/chain/evm/evmChain.ts";
import { evmOwners } from "../../src/chain/evm/evmOwners.ts";
import { batchMetadataUpdateTopic, consecutiveTransferTopic } from "../../src/chain/evm/nftLog.ts";
import type { HexAddress } from "../../src/chain/nftChain.ts";
import { openStore, type Store } from "../../src/store/openStore.ts";
import { startFollowing } from "../follow/following.ts";
import { compileOddNfts } from "./compileOddNfts.ts";
import { Wallet } from "./wallet.ts";

const alice: HexAddress = `0x${"a1".repeat(20)}`;
const bob: HexAddress = `0x${"b0".repeat(20)}`;
const toAlice = (id: bigint) => ({ from: zeroAddress, to: alice, id });
const node = started(() => startAnvil());
let odd: Readonly<Record<string, CompiledContract>>;
let wallet: Wallet;
beforeAll(async () => {
  odd = await compileOddNfts();
  wallet = new Wallet(node.rpcUrl);
});

const deploy = (name: string) => wallet.deploy(odd[name]!);

/** Follows the chain from a height on. */
async function follow(startHeight: number, store?: Store) {
  const chain = evmChain({ jsonRpcUrl: node.rpcUrl });
  const opened = store ?? (await openStore(":memory:"));
  const following = startFollowing({ chain, store: opened, startHeight });
  onTestFinished(async () => {
    await following.stop();
    if (store === undefined) await opened.close();
  });
  return { following, store: opened };
}

/** The tokens of a collection, and their URIs once all are read. */
async function tokensOf(store: Store, collectionAddr: HexAddress) {
  await until("all URIs", async () => (await store.readStatus())?.pendingUris === 0);
  const page = { place: { offset: 0n }, limit: 1_000, reverse: false, orderBy: "height" } as const;
  const rows = await store.readTokens({ ...page, filter: { collectionAddr } });
  return new Map(rows.map(({ tokenId, owner, uri, height }) => [Number(tokenId), { owner, uri, height }]));
}

test("the topics are those of the standards", () => {
  expect(toEventSelector("ConsecutiveTransfer(uint256,uint256,address,address)")).toBe(consecutiveTransferTopic);
  expect(toEventSelector("BatchMetadataUpdate(uint256,uint256)")).toBe(batchMetadataUpdateTopic);
});

test("the tokens of ConsecutiveTransfer are minted, moved and burned", async () => {
  const nft = await deploy("Batches");
  await nft.send("batch", 1n, 500n, zeroAddress, alice);
  await nft.send("batch", 101n, 200n, alice, bob);
  await nft.send("emitTransfers", [{ from: bob, to: alice, id: 150n }]);
  const { height: last } = await nft.send("batch", 1n, 10n, alice, zeroAddress);
  const { following, store } = await follow(nft.created.height);
  await following.untilIndexed(last);
  const tokens = await tokensOf(store, nft.address);
  const ownedBy = (owner: HexAddress) => [...tokens].flatMap(([id, token]) => (token.owner === owner ? [id] : []));
  expect([tokens.size, Math.min(...tokens.keys()), Math.max(...tokens.keys())]).toEqual([490, 11, 500]);
  expect([ownedBy(alice).length, ownedBy(bob).length, tokens.get(150)?.owner]).toEqual([391, 99, alice]);
  expect(tokens.get(500)?.uri).toBe("hidden");

  const { signal } = new AbortController();
  const owners = new Map<string, HexAddress | undefined>();
  for await (const { blocks } of evmOwners(node.rpcUrl, new Set([nft.address])).read({ first: 1, last }, signal)) {
    for (const { token, owner } of blocks.flatMap(({ changes }) => changes)) owners.set(JSON.stringify(token), owner);
  }
  const held = [...owners.values()].filter((owner) => owner !== undefined);
  expect([owners.size, held.length, held.filter((owner) => owner === bob).length]).toEqual([500, 490, 99]);
});

test("a ConsecutiveTransfer of more tokens than a block may name is left out and counted, and no policy takes it", async () => {
  const nft = await deploy("Batches");
  await nft.send("batch", 1n, 2n, zeroAddress, alice);
  const { height } = await nft.send("batch", 3n, 2n ** 256n - 1n, zeroAddress, alice);
  const { following, store } = await follow(nft.created.height);
  await following.untilIndexed(height);
  expect((await tokensOf(store, nft.address)).size).toBe(2);
  expect(await store.readStatus()).toMatchObject({ leftOut: 1 });
  const reading = evmOwners(node.rpcUrl, new Set([nft.address])).read(
    { first: 1, last: height },
    new AbortController().signal,
  );
  await expect(reading.next()).rejects.toMatchObject({ code: "POLICY_LIMIT" });
});

test("after BatchMetadataUpdate the URIs of a range are read again", async () => {
  const nft = await deploy("Batches");
  const { height: minted } = await nft.send("batch", 1n, 600n, zeroAddress, alice);
  const { following, store } = await follow(nft.created.height);
  await following.untilIndexed(minted);
  expect(new Set([...(await tokensOf(store, nft.address)).values()].map(({ uri }) => uri))).toEqual(
    new Set(["hidden"]),
  );
  const { height } = await nft.send("reveal", 301n, 2n ** 256n - 1n);
  await following.untilIndexed(height);
  const tokens = await tokensOf(store, nft.address);
  for (const [id, { uri }] of tokens) expect([id, uri]).toEqual([id, id > 300 ? "final" : "hidden"]);
  expect(tokens.size).toBe(600);
});

test("a URI that takes more gas than a call may is counted, one that takes seven million is read", async () => {
  const nft = await deploy("Batches");
  await nft.send("setGasOfUri", 7_000_000n);
  const { height: first } = await nft.send("emitTransfers", [toAlice(1n)]);
  const { following, store } = await follow(nft.created.height);
  await following.untilIndexed(first);
  expect((await tokensOf(store, nft.address)).get(1)?.uri).toBe("hidden");
  await nft.send("setGasOfUri", 40_000_000n);
  const { height: second } = await nft.send("emitTransfers", [toAlice(2n)]);
  await following.untilIndexed(second);
  expect((await tokensOf(store, nft.address)).get(2)?.uri).toBe("");
  expect(await store.readStatus()).toMatchObject({ leftOut: 1 });
});

test.each([
  ["while it follows", false],
  ["in one read", true],
])("a contract that becomes a collection later has its tokens from the first on, %s", async (_, isOneRead) => {
  const late = await deploy("Late");
  const store = await openStore(":memory:");
  onTestFinished(() => store.close());
  const { height: first } = await late.send("emitTransfers", [toAlice(1n), toAlice(2n)]);
  if (!isOneRead) {
    const { following } = await follow(late.created.height, store);
    await following.untilIndexed(first);
    expect(await store.readCollection(late.address)).toBeUndefined();
    // A restart must not forget when it was first seen.
    await following.stop();
  }
  await late.send("upgrade");
  const { height: moved } = await late.send("emitTransfers", [{ from: alice, to: bob, id: 2n }]);
  const { following } = await follow(late.created.height, store);
  await following.untilIndexed(moved);
  expect(await tokensOf(store, late.address)).toEqual(
    new Map([
      [1, { owner: alice, uri: "", height: first }],
      [2, { owner: bob, uri: "", height: moved }],
    ]),
  );
  expect(await store.readStatus()).toMatchObject({ leftOut: 0 });
});

const fifteenTo = (to: HexAddress, first: bigint) =>
  Array.from({ length: 15 }, (_, index) => ({ from: zeroAddress, to, id: first + BigInt(index) }));

test.each([
  ["a name and URIs", [false, false], [toAlice(400n)], 1],
  ["URIs", [true, false], [toAlice(400n)], 1],
  ["a name and URIs, and moves a token", [false, false], [{ from: alice, to: bob, id: 1n }], 1],
  ["a name and URIs, of many tokens", [false, false], [toAlice(400n)], 40],
] as const)(
  "a proxy whose implementation comes late has its %s once it speaks again",
  async (_, before, said, many) => {
    const late = await deploy("Implemented");
    await late.send("implement", ...before);
    let first = 0;
    for (let batch = 0; batch < many; batch += 1) {
      ({ height: first } = await late.send("emitTransfers", fifteenTo(alice, BigInt(1 + 1_000 * batch))));
    }
    const { following, store } = await follow(late.created.height);
    await following.untilIndexed(first);
    expect(new Set([...(await tokensOf(store, late.address)).values()].map(({ uri }) => uri))).toEqual(new Set([""]));
    expect(await store.readCollection(late.address)).toMatchObject({ name: before[0] ? "Late" : "" });
    await late.send("implement", true, true);
    const { height: spoken } = await late.send("emitTransfers", said);
    await following.untilIndexed(spoken);
    await until("its name", async () => (await store.readCollection(late.address))?.name === "Late");
    const uris = async () => [...(await tokensOf(store, late.address))].map(([id, { uri }]) => [id, uri]);
    const areRead = async () => (await uris()).every(([id, uri]) => uri === (Number(id) < 300 ? "low" : "high"));
    await until("all URIs", areRead);
    expect(await uris()).toHaveLength(15 * many + (said[0].from === zeroAddress ? 1 : 0));
    const found = { filter: { name: "late" }, place: { offset: 0n }, limit: 9, reverse: false } as const;
    expect((await store.readCollections(found)).map(({ collectionAddr }) => collectionAddr)).toContain(late.address);
    expect(await store.readStatus()).toMatchObject({ leftOut: 0, pendingUris: 0 });
  },
);
