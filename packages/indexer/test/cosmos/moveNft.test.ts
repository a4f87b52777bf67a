import { beforeAll, beforeEach, expect, test } from "vitest";
import { readMoveAddress } from "@vipscore/blocks/cosmos";
import { startVipnode } from "@vipscore/localnet";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { passOn, script } from "@vipscore/testkit/scriptedServer";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { started } from "@vipscore/testkit/started";
import { cosmosChain } from "../../src/chain/cosmos/cosmosChain.ts";
import type { HexAddress, NftChain } from "../../src/chain/nftChain.ts";
import { withUris } from "../withUris.ts";
import { FoldedChain, type FoldedToken } from "./foldChanges.ts";
import { burn, createCollection, mint, openMoveWallet, setUri, transfer, type MoveWallet } from "./moveWallet.ts";

const node = started(() => startVipnode({ vm: "move" }));
let wallet: MoveWallet;
let chain: NftChain;
/** The first block of a test. */
let first: number;
const { signal } = new AbortController();
/** Accounts that do not sign anything, as Move writes them: without leading zeros. */
const others = ["0x7", `0x${"ab".repeat(20)}`, `0xc${"d".repeat(62)}`] as const;

beforeAll(async () => {
  wallet = openMoveWallet(node);
  chain = cosmosChain({ rpcNodeUrl: node.rpcUrl });
});
beforeEach(async () => {
  first = (await chain.readHead(signal)) + 1;
});

function hexOf(text: string): HexAddress {
  const address = readMoveAddress(text);
  if (address === undefined) throw new Error(`${text} is not an address`);
  return address;
}

/** All changes since the start of the test. */
async function readTest(from = first) {
  const blocks = await chain.readBlocks(from, await chain.readHead(signal), { isKnown: () => false, signal });
  return { blocks, changes: blocks.flatMap(({ changes }) => changes), folded: new FoldedChain().apply(blocks) };
}

/** The only collection of a test, and its tokens. */
async function onlyCollection() {
  const { folded } = await readTest();
  const [[collectionAddr, { name, creator }] = fail(), ...more] = folded.collections;
  expect(more).toEqual([]);
  return { collectionAddr, name, creator, tokens: folded.tokensOf(collectionAddr) };
}

function fail(): never {
  throw new Error("no collection was found");
}

function tokenOf(tokens: ReadonlyMap<string, FoldedToken>, id: string): { readonly object: HexAddress } & FoldedToken {
  const token = tokens.get(id);
  if (token?.objectAddr === undefined) throw new Error(`no token ${id} with an object`);
  return { ...token, object: token.objectAddr };
}

test("a token's life: minted, transferred, updated, burned", async () => {
  const owner = hexOf(wallet.address);
  await wallet.call(createCollection("Life"));
  const minted = await wallet.call(mint("Life", "one", "ipfs://1"));
  const made = await onlyCollection();
  expect(made).toMatchObject({ name: "Life", creator: owner });
  const { object, collectionAddr } = tokenOf(made.tokens, "one");
  const described = await wallet.call(setUri(object, "ipfs://new"));
  const mintedToo = await wallet.call(mint("Life", "two", ""));
  const gone = await wallet.call(burn(object));
  const { changes } = await readTest();
  const second = tokenOf((await onlyCollection()).tokens, "two");
  expect(changes).toEqual([
    { kind: "collection", collectionAddr, name: "Life", creator: owner },
    { kind: "minted", collectionAddr, tokenId: "one", owner, uri: "ipfs://1", objectAddr: object, txHash: minted },
    { kind: "uriChanged", token: { objectAddr: object }, uri: "ipfs://new", txHash: described },
    { kind: "minted", collectionAddr, tokenId: "two", owner, uri: "", objectAddr: second.object, txHash: mintedToo },
    { kind: "burned", token: { objectAddr: object }, txHash: gone },
    { kind: "burned", token: { collectionAddr, tokenId: "one" }, txHash: gone },
  ]);
});

test("with a standard library before v1.1, which has no event for it, the URI is read from the token", async () => {
  await wallet.call(createCollection("Old"), mint("Old", "one", "ipfs://1"), mint("Old", "two", ""));
  const { tokens } = await onlyCollection();
  await wallet.call(burn(tokenOf(tokens, "two").object));
  const newer = new Set(["0x1::nft::CreateEvent", "0x1::nft::MutationEvent", "0x1::collection::BurnEvent"]);
  const isOlder = ({ attributes = [] }: { readonly attributes?: readonly { readonly value: string }[] }) =>
    !attributes.some(({ value }) => newer.has(value));
  const { url } = await script(async (request) => {
    const answer = await passOn(node.rpcUrl, request);
    if (typeof answer.body !== "string" || !answer.body.includes('"txs_results"')) return answer;
    const kept = (key: string, value: unknown): unknown =>
      key === "events" && Array.isArray(value) ? value.filter((event) => isOlder(event as object)) : value;
    return { ...answer, body: JSON.stringify(JSON.parse(answer.body, kept)) };
  });
  const old = withUris(cosmosChain({ rpcNodeUrl: url }));
  const blocks = await old.readBlocks(first, await old.readHead(signal), { isKnown: () => false, signal });
  const [[collectionAddr] = fail()] = new FoldedChain().apply(blocks).collections;
  const read = [...new FoldedChain().apply(blocks).tokensOf(collectionAddr).values()];
  expect(read.map(({ tokenId, uri }) => [tokenId, uri])).toEqual([["one", "ipfs://1"]]);
});

test("a mint for another account, and a transfer in the transaction of the mint, end with the right owner", async () => {
  await wallet.call(
    createCollection("Gifts"),
    mint("Gifts", "given", "ipfs://g", others[0]),
    mint("Gifts", "kept", "ipfs://k"),
    mint("Gifts", "far", "", others[2]),
  );
  const { tokens } = await onlyCollection();
  const kept = tokenOf(tokens, "kept");
  await wallet.call(setUri(kept.object, "ipfs://k2"), transfer(kept.object, others[1]));
  const owners = [...(await onlyCollection()).tokens.values()].map(({ tokenId, owner, uri }) => [tokenId, owner, uri]);
  expect(owners).toEqual([
    ["given", `0x${"0".repeat(39)}7`, "ipfs://g"],
    ["kept", others[1], "ipfs://k2"],
    ["far", `0x0${others[2].slice(2)}`, ""],
  ]);
});

test("objects that are not tokens change nothing, and a token can belong to a token", async () => {
  await wallet.call(createCollection("Nested"));
  const { collectionAddr } = await onlyCollection();
  await wallet.call(mint("Nested", "outer", ""), mint("Nested", "inner", ""));
  const { tokens } = await onlyCollection();
  const [outer, inner] = [tokenOf(tokens, "outer"), tokenOf(tokens, "inner")];
  await wallet.call(transfer(inner.object, outer.object), transfer(collectionAddr, others[1]));
  const after = await onlyCollection();
  expect(tokenOf(after.tokens, "inner").owner).toBe(outer.object);
  expect(tokenOf(after.tokens, "outer").owner).toBe(hexOf(wallet.address));
  expect(after.creator).toBe(hexOf(wallet.address));
});

test("indexing that starts later finds a collection at its next mint", async () => {
  await wallet.call(createCollection("Later"), mint("Later", "1", ""));
  const { collectionAddr, tokens } = await onlyCollection();
  const later = (await chain.readHead(signal)) + 1;
  await wallet.call(transfer(tokenOf(tokens, "1").object, others[1]));
  await wallet.call(mint("Later", "2", "ipfs://2"));
  const { folded } = await readTest(later);
  expect(folded.collections.get(collectionAddr)).toEqual({ name: "Later", creator: hexOf(wallet.address) });
  expect([...folded.tokensOf(collectionAddr).keys()]).toEqual(["2"]);
});

test("a transaction that fails changes nothing", async () => {
  await wallet.call(createCollection("Once"), mint("Once", "1", ""));
  const { tokens } = await onlyCollection();
  const { blocks } = await readTest();
  const { object } = tokenOf(tokens, "1");
  await wallet.call(transfer(object, others[1]));
  await expect(wallet.call(mint("Once", "2", ""), transfer(object, others[0]))).rejects.toThrow("VM");
  expect((await readTest()).blocks).toHaveLength(blocks.length + 1);
});

test("after any sequence of transactions the tokens match the chain, whether read in one pass or in parts", async () => {
  const random = seededRandom(fuzzSeed());
  await wallet.call(createCollection("Random"));
  const { collectionAddr } = await onlyCollection();
  let made = 0;
  for (let transaction = 0; transaction < fuzzRuns(8); transaction += 1) {
    const held = [...(await onlyCollection()).tokens.values()].filter(({ owner }) => owner === hexOf(wallet.address));
    const calls = Array.from({ length: 1 + random.below(5) }, () => {
      const kind = random.pick(["mint", "mint", "give", "transfer", "burn", "describe"] as const);
      const [token] = held.splice(kind === "mint" || kind === "give" ? held.length : random.below(held.length + 1), 1);
      if (token?.objectAddr === undefined) {
        made += 1;
        const uri = random.pick(["", `ipfs://${made}`]);
        return mint("Random", `token ${made}`, uri, kind === "give" ? random.pick(others) : undefined);
      }
      if (kind === "describe") return setUri(token.objectAddr, `ipfs://${transaction}`);
      return kind === "burn" ? burn(token.objectAddr) : transfer(token.objectAddr, random.pick(others));
    });
    await wallet.call(...calls);
  }
  const { tokens } = await onlyCollection();
  const inParts = new FoldedChain();
  const head = await chain.readHead(signal);
  for (let from = first; from <= head;) {
    const to = Math.min(head, from + random.below(7));
    const isKnown = (address: HexAddress) => inParts.collections.has(address);
    inParts.apply(await chain.readBlocks(from, to, { isKnown, signal }));
    from = to + 1;
  }
  expect(inParts.tokensOf(collectionAddr)).toEqual(tokens);
  for (const { tokenId, objectAddr, owner, uri } of tokens.values()) {
    expect([tokenId, await tokenOnChain(objectAddr)]).toEqual([tokenId, { owner, uri, tokenId }]);
  }
  const supply = await resource(collectionAddr, "0x1::collection::UnlimitedSupply");
  expect(supply["current_supply"]).toBe(String(tokens.size));
});

async function tokenOnChain(object: HexAddress | undefined) {
  if (object === undefined) return undefined;
  const { owner } = await resource(object, "0x1::object::ObjectCore");
  const { uri, token_id: tokenId } = await resource(object, "0x1::nft::Nft");
  return { owner: hexOf(String(owner)), uri, tokenId };
}

/** The fields of a resource, as the node's REST interface returns them. */
async function resource(address: HexAddress, tag: string): Promise<Readonly<Record<string, unknown>>> {
  const path = `/initia/move/v1/accounts/${address}/resources/by_struct_tag?struct_tag=${encodeURIComponent(tag)}`;
  const answer = (await (await fetch(`${node.restUrl}${path}`)).json()) as {
    readonly resource: { readonly move_resource: string };
  };
  const parsed = JSON.parse(answer.resource.move_resource) as { readonly data: Readonly<Record<string, unknown>> };
  return parsed.data;
}
