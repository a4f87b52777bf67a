import { createWalletClient, http, publicActions, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import type { CompiledContract } from "@vipscore/testkit/compileSolidity";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { receiptOf } from "@vipscore/testkit/receiptOf";
import { evmChain } from "../../src/chain/evm/evmChain.ts";
import type { HexAddress } from "../../src/chain/nftChain.ts";
import { chains, changesOf, readFrom, type RunningChain } from "./chains.ts";
import { compileOddNfts } from "./compileOddNfts.ts";
import { minter, Wallet, type Sent } from "./wallet.ts";

const alice: HexAddress = `0x${"a1".repeat(20)}`;
const bob: HexAddress = `0x${"b0".repeat(20)}`;
const creator = minter.address.toLowerCase();
const { signal } = new AbortController();

let odd: Readonly<Record<string, CompiledContract>>;
beforeAll(async () => {
  odd = await compileOddNfts();
});

/** The change that introduces a collection, as of its contract's creation. */
function seen({ address, created }: { readonly address: string; readonly created: Sent }, name: string): unknown {
  const timestamp: unknown = expect.stringMatching(/^20.*Z$/);
  return {
    kind: "collection",
    collectionAddr: address,
    name,
    creator,
    createdAt: { height: created.height, timestamp },
  };
}

function codeOf(name: string): CompiledContract {
  const code = odd[name];
  if (code === undefined) throw new Error(`OddNfts.sol has no ${name}`);
  return code;
}

describe.each(chains)("$name", ({ start }) => {
  let node: RunningChain;
  let wallet: Wallet;
  beforeAll(async () => {
    node = await start();
    wallet = new Wallet(node.rpcUrl);
  });
  afterAll(() => node.stop());

  /** Deploys an odd contract that mints token 7 to alice and returns the changes that are read. */
  async function mintSeven(name: string) {
    const contract = await wallet.deploy(codeOf(name));
    const sent = await contract.send("emitTransfers", [{ from: zeroAddress, to: alice, id: 7n }]);
    return { contract, sent, changes: await changesOf(node.rpcUrl, contract) };
  }

  test("a collection's life: created, minted, moved, burned", async () => {
    const nft = await wallet.deploy(await readDemoNft(), "Demo Cats", "CAT");
    const minted = await nft.send("mint", [alice, bob, minter.address]);
    const moved = await nft.send("transferMany", [1n, 3n], [bob, alice]);
    const burned = await nft.send("burn", [2n]);
    const collectionAddr = nft.address;
    const ownBlocks = await readFrom(node.rpcUrl, minted.height);
    expect(ownBlocks.map(({ height }) => height)).toEqual([minted.height, moved.height, burned.height]);
    for (const { timestamp } of ownBlocks) expect(timestamp).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const mint = (tokenId: string, owner: string) => {
      const uri = `https://nft.example.org/${tokenId}`;
      return { kind: "minted", collectionAddr, tokenId, owner, uri, objectAddr: undefined, txHash: minted.hash };
    };
    const token = (tokenId: string) => ({ collectionAddr, tokenId });
    // Only a node with history has the URI of a token that has been burned since.
    const two = expect.objectContaining({ kind: "minted", tokenId: "2", owner: bob }) as unknown;
    expect(ownBlocks.map(({ changes }) => changes)).toEqual([
      [seen(nft, "Demo Cats"), mint("1", alice), two, mint("3", creator)],
      [
        { kind: "transferred", token: token("1"), owner: bob, txHash: moved.hash },
        { kind: "transferred", token: token("3"), owner: alice, txHash: moved.hash },
      ],
      [{ kind: "burned", token: token("2"), txHash: burned.hash }],
    ]);
  });

  test.each([
    ["RevertingName", ""],
    ["Silent", ""],
    ["EmptyAnswers", ""],
    ["GasBurner", ""],
    ["WordName", "Old Cats"],
    ["GiganticName", expect.stringMatching(/^sha256:[0-9a-f]{64};bytes=60000$/) as string],
    ["EndlessName", ""],
    ["LongName", expect.stringMatching(/^sha256:[0-9a-f]{64};bytes=2000$/) as string],
    ["GarbageName", "Bad Cat"],
    ["Lively", "Lively"],
    ["ForgotErc721", ""],
    ["OwnersOnly", ""],
  ])("%s is a collection with the name %j", async (name, shown) => {
    const contract = await wallet.deploy(codeOf(name));
    const mint =
      name === "Lively" ? contract.send("churn", alice, bob) : contract.send("emitTransfers", [sevenToAlice]);
    const { hash: txHash } = await mint;
    const [collection, first] = await changesOf(node.rpcUrl, contract);
    expect(collection).toEqual(seen(contract, shown));
    expect(first).toMatchObject({
      kind: "minted",
      owner: alice,
      txHash,
      uri: { GiganticName: "u".repeat(7), GarbageName: "\uFFFD\uFFFD" }[name] ?? "",
    });
  });

  test("a collection's creator, height and time are those of its contract, not of its first token", async () => {
    const silent = await wallet.deploy(codeOf("Silent"));
    const account = privateKeyToAccount(testAccounts.operator.privateKey);
    const { abi } = codeOf("Silent");
    const client = createWalletClient({ account, transport: http(node.rpcUrl) }).extend(publicActions);
    for (let blocks = 0; blocks < 20; blocks += 1) await silent.send("emitMetadataUpdate", 1n);
    const functionName = "emitTransfers";
    await receiptOf(
      client,
      await client.writeContract({ abi, address: silent.address, functionName, args: [[sevenToAlice]], chain: null }),
    );
    const [collection] = await changesOf(node.rpcUrl, silent);
    expect(collection).toEqual(seen(silent, ""));
  });

  test("a collection created by a factory has the creator, the height and the time of the factory's call", async () => {
    const factory = await wallet.deploy(codeOf("Factory"));
    const made = await factory.send("make", alice);
    const [block] = await readFrom(node.rpcUrl, made.height);
    expect(block?.changes[0]).toMatchObject({ kind: "collection", creator, createdAt: { height: made.height } });
  });

  test.each(["IndexedErc20", "DeniesErc721"])("%s is not a collection", async (name) => {
    const { changes } = await mintSeven(name);
    expect(changes).toEqual([]);
  });

  test("the transfers of an ERC-20 are left out", async () => {
    const coin = await wallet.deploy(codeOf("PlainErc20"));
    await coin.send("emitTransfer", alice);
    expect(await changesOf(node.rpcUrl, coin)).toEqual([]);
  });

  test("a contract that destroyed its code is a collection without a name", async () => {
    const gone = await wallet.deploy(codeOf("Gone"), alice);
    expect(await changesOf(node.rpcUrl, gone)).toEqual([
      seen(gone, ""),
      expect.objectContaining({ kind: "minted", tokenId: "1", owner: alice, uri: "" }),
    ]);
  });

  test("several changes of one token in one transaction keep their order", async () => {
    const lively = await wallet.deploy(codeOf("Lively"));
    await lively.send("churn", alice, bob);
    const changes = await changesOf(node.rpcUrl, lively);
    const told = changes.map((change) => {
      if (!("txHash" in change)) return change.kind;
      const id = "token" in change ? "tokenId" in change.token && change.token.tokenId : change.tokenId;
      return `${change.kind} ${String(id)}${"owner" in change ? (change.owner === alice ? " alice" : " bob") : ""}`;
    });
    expect(told).toEqual([
      "collection",
      "minted 1 alice",
      "transferred 1 bob",
      "transferred 1 bob",
      "minted 2 alice",
      "burned 2",
      "minted 3 bob",
      "burned 3",
      "minted 3 alice",
    ]);
  });

  test("MetadataUpdate refreshes the URI of a known collection, and of no other contract", async () => {
    const lively = await wallet.deploy(codeOf("Lively"));
    await lively.send("setUri", 1n, "ipfs://too-early");
    await lively.send("churn", alice, bob);
    const { hash: txHash } = await lively.send("setUri", 1n, "ipfs://möhre");
    const token = { collectionAddr: lively.address, tokenId: "1" };
    const changes = await changesOf(node.rpcUrl, lively);
    expect(changes.filter(({ kind }) => kind === "uriChanged")).toEqual([
      { kind: "uriChanged", token, uri: "ipfs://möhre", txHash },
    ]);
  });

  test("ids up to 2^256 - 1, from a contract that only emits transfers", async () => {
    const silent = await wallet.deploy(codeOf("Silent"));
    const id = 2n ** 256n - 1n;
    await silent.send("emitTransfers", [
      { from: bob, to: alice, id },
      { from: alice, to: zeroAddress, id: 0n },
      { from: zeroAddress, to: zeroAddress, id: 5n },
    ]);
    const [, ...changes] = await changesOf(node.rpcUrl, silent);
    expect(changes).toMatchObject([
      { kind: "transferred", token: { tokenId: id.toString() }, owner: alice },
      { kind: "burned", token: { tokenId: "0" } },
    ]);
  });

  test("a known collection is not introduced again", async () => {
    const { contract, sent } = await mintSeven("Silent");
    const isKnown = (address: string) => address === contract.address;
    const blocks = await evmChain({ jsonRpcUrl: node.rpcUrl }).readBlocks(sent.height, sent.height, {
      isKnown,
      signal,
    });
    expect(blocks.flatMap(({ changes }) => changes.map(({ kind }) => kind))).toEqual(["minted"]);
  });

  test("the chain's id, head and hashes", async () => {
    const chain = evmChain({ jsonRpcUrl: node.rpcUrl });
    const head = await chain.readHead(signal);
    expect(await chain.readChainId(signal)).toBe("31337");
    expect(await chain.readBlockHash(head, signal)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await chain.readBlockHash(head + 1_000_000, signal)).toBeUndefined();
  });
});

const sevenToAlice = { from: zeroAddress, to: alice, id: 7n };
