import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readBech32 } from "@vipscore/blocks/cosmos";
import { startVipnode } from "@vipscore/localnet";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { started } from "@vipscore/testkit/started";
import { cosmosChain } from "../../src/chain/cosmos/cosmosChain.ts";
import type { HexAddress, NftChain } from "../../src/chain/nftChain.ts";
import { withUris } from "../withUris.ts";
import { FoldedChain } from "./foldChanges.ts";
import {
  mint,
  nftContract,
  openWasmWallet,
  scriptedContract,
  type ContractCall,
  type WasmWallet,
} from "./wasmWallet.ts";

const node = started(() => startVipnode({ vm: "wasm" }));
let wallet: WasmWallet;
let chain: NftChain;
/** The first block of a test. */
let first: number;
const { signal } = new AbortController();
/** Accounts that do not sign anything. */
const others = ["init1lf0swvvhy3vqautdemmvunfmp0grfrjgzznx9s", "init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq"] as const;

beforeAll(async () => {
  wallet = await openWasmWallet(node);
  chain = withUris(cosmosChain({ rpcNodeUrl: node.rpcUrl }));
});
beforeEach(async () => {
  first = (await chain.readHead(signal)) + 1;
});
afterAll(async () => {
  wallet.client.disconnect();
});

function hexOf(text: string): HexAddress {
  const address = readBech32(text);
  if (address === undefined) throw new Error(`${text} is not an address`);
  return address;
}

/** All changes since the start of the test. */
async function readTest(from = first) {
  const blocks = await chain.readBlocks(from, await chain.readHead(signal), { isKnown: () => false, signal });
  return { blocks, changes: blocks.flatMap(({ changes }) => changes), folded: new FoldedChain().apply(blocks) };
}

test("a collection without tokens is found when it is created", async () => {
  const contract = await wallet.make(nftContract("Empty Cats", wallet.address));
  await wallet.call([contract, mint("1", wallet.address)]);
  const { blocks } = await readTest();
  const seen = {
    kind: "collection",
    collectionAddr: hexOf(contract),
    name: "Empty Cats",
    creator: hexOf(wallet.address),
  };
  expect(blocks).toHaveLength(2);
  expect(blocks[0]?.changes).toEqual([seen]);
  expect(blocks[1]?.changes.map(({ kind }) => kind)).toEqual(["minted"]);
});

test("a token's life: minted, transferred, sent to a contract, updated, burned", async () => {
  const contract = await wallet.make(nftContract("Cats", wallet.address));
  const receiver = await wallet.make(scriptedContract({}));
  const collectionAddr = hexOf(contract);
  const hashes = [
    await wallet.call([contract, mint("1", wallet.address, "ipfs://1")]),
    await wallet.call([contract, { send_nft: { contract: receiver, token_id: "1", msg: "" } }]),
    await wallet.call([contract, mint("2", wallet.address)]),
    await wallet.call([contract, { transfer_nft: { recipient: others[0], token_id: "2" } }]),
    await wallet.call([contract, { update_nft_info: { token_id: "2", token_uri: "ipfs://2", extension: null } }]),
    await wallet.call([contract, mint("3", wallet.address, "")]),
    await wallet.call([contract, { burn: { token_id: "3" } }]),
  ];
  const { blocks, changes, folded } = await readTest();
  const owner = hexOf(wallet.address);
  const token = (tokenId: string, index: number) => ({ token: { collectionAddr, tokenId }, txHash: hashes[index] });
  const minted = (tokenId: string, index: number, uri = "") => {
    const kind = "minted";
    return { kind, collectionAddr, tokenId, owner, uri, objectAddr: undefined, txHash: hashes[index] };
  };
  expect(changes).toEqual([
    { kind: "collection", collectionAddr, name: "Cats", creator: owner },
    minted("1", 0, "ipfs://1"),
    { kind: "transferred", ...token("1", 1), owner: hexOf(receiver) },
    minted("2", 2),
    { kind: "transferred", ...token("2", 3), owner: hexOf(others[0]) },
    { kind: "uriChanged", ...token("2", 4), uri: "ipfs://2" },
    minted("3", 5),
    { kind: "burned", ...token("3", 6) },
  ]);
  const heights = blocks.map(({ height }) => height);
  expect(heights).toEqual([...new Set(heights)].sort((a, b) => a - b));
  for (const { timestamp } of blocks) expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/);
  expect([...folded.tokensOf(collectionAddr).keys()]).toEqual(["1", "2"]);
});

test("the changes of a transaction are in order, and a failed transaction changes nothing", async () => {
  const [cats, dogs] = [
    await wallet.make(nftContract("Cats", wallet.address)),
    await wallet.make(nftContract("Dogs", wallet.address)),
  ];
  await wallet.call(
    [cats, mint("1", wallet.address, "ipfs://1")],
    [dogs, mint("1", others[1])],
    [cats, { transfer_nft: { recipient: others[0], token_id: "1" } }],
    [cats, mint("2", others[0])],
    [dogs, mint("2", wallet.address)],
    [dogs, { burn: { token_id: "2" } }],
    [dogs, mint("2", others[1])],
  );
  const failing = wallet.call([cats, mint("3", wallet.address)], [cats, { burn: { token_id: "2" } }]);
  await expect(failing).rejects.toThrow("contract's current owner");
  const { blocks, folded } = await readTest();
  // The two blocks that created the contracts come first.
  expect(blocks.map(({ changes }) => changes.length)).toEqual([1, 1, 7]);
  expect([...folded.collections.values()].map(({ name }) => name)).toEqual(["Cats", "Dogs"]);
  const owners = (contract: string) =>
    [...folded.tokensOf(hexOf(contract)).values()].map(({ tokenId, owner }) => [tokenId, owner]);
  expect(owners(cats)).toEqual([
    ["1", hexOf(others[0])],
    ["2", hexOf(others[0])],
  ]);
  expect(owners(dogs)).toEqual([
    ["1", hexOf(others[1])],
    ["2", hexOf(others[1])],
  ]);
});

test("token ids can be any text, and an account without a key can own tokens", async () => {
  const contract = await wallet.make(nftContract("Texts", wallet.address));
  const nobody = "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqa4qvvl";
  const ids = ["0", "-1", "cat/two?x=1&y", "\u732b \u{1f408}", '"}', "a".repeat(500), "\u0000"];
  await wallet.call(...ids.map((id): ContractCall => [contract, mint(id, nobody, `ipfs://${id.length}`)]));
  const tokens = (await readTest()).folded.tokensOf(hexOf(contract));
  expect([...tokens.keys()]).toEqual(ids);
  for (const [id, { owner, uri }] of tokens)
    expect([owner, uri]).toEqual([`0x${"0".repeat(40)}`, `ipfs://${id.length}`]);
});

test("indexing that starts later finds a collection and its tokens at the first transfer", async () => {
  const contract = await wallet.make(nftContract("Cats", wallet.address));
  await wallet.call([contract, mint("1", wallet.address)], [contract, mint("2", wallet.address)]);
  const later = (await chain.readHead(signal)) + 1;
  await wallet.call([contract, { transfer_nft: { recipient: others[0], token_id: "2" } }]);
  const { folded } = await readTest(later);
  expect(folded.collections.get(hexOf(contract))).toEqual({ name: "Cats", creator: hexOf(wallet.address) });
  expect([...folded.tokensOf(hexOf(contract)).keys()]).toEqual(["2"]);
});

const says = (action: string, tokenIds: readonly string[], more: readonly (readonly [string, string])[] = []) => ({
  tell: [["action", action], ...tokenIds.map((id) => ["token_id", id]), ...more],
});

const emits = (pairs: string) => ({ tell: pairs.split(" ").map((pair) => pair.split("=")) });

test.each<[string, Readonly<Record<string, unknown>>]>([
  ["refuses every query", {}],
  ["answers with a web page", { contract_info: "<!doctype html>", get_collection_info_and_extension: "" }],
  ["has a number for a name", { contract_info: { name: 7 }, get_collection_info_and_extension: [{ name: "x" }] }],
  ["answers with bytes", { contract_info: "\ufffd\u0000{", get_collection_info_and_extension: "null" }],
])("a contract with token events that %s is not a collection", async (_, answers) => {
  const contract = await wallet.make(scriptedContract(answers));
  await wallet.call([contract, says("mint", ["1"], [["owner", wallet.address]])]);
  await wallet.call([contract, says("transfer_nft", ["1"], [["recipient", others[0]]])]);
  expect((await readTest()).blocks).toEqual([]);
});

test("an incomplete event is resolved by the contract's answer", async () => {
  const owner = { owner_of: { owner: others[0], approvals: [] }, nft_info: { token_uri: "ipfs://asked" } };
  const contract = await wallet.make(
    scriptedContract({ get_collection_info_and_extension: { name: "New" }, ...owner }),
  );
  await wallet.call([contract, says("mint", ["1", "2"], [["owner", wallet.address]])]);
  await wallet.call([contract, says("mint", ["3"], [["owner", "alice"]])]);
  await wallet.call([contract, emits(`action=mint token_id=4 owner=${wallet.address} owner=${others[1]}`)]);
  await wallet.call([contract, emits("action=buy action=transfer_nft action=burn token_id=5")]);
  await wallet.call([contract, emits(`action=bid action=mint token_id=6 owner=${wallet.address}`)]);
  await wallet.call([contract, says("approve", ["7"], [["owner", wallet.address]])]);
  const { folded } = await readTest();
  const tokens = [...folded.tokensOf(hexOf(contract)).values()];
  expect(tokens.map(({ tokenId, owner: found, uri }) => [tokenId, found, uri])).toEqual([
    ...["1", "2", "3", "4", "5"].map((id) => [id, hexOf(others[0]), "ipfs://asked"]),
    ["6", hexOf(wallet.address), "ipfs://asked"],
  ]);
});

test("a URI with a NUL, and one that is not UTF-8, are read as text", async () => {
  const invalid = Buffer.concat([Buffer.from('{"token_uri":"ipfs://'), Buffer.of(0xff), Buffer.from('a"}')]);
  const contract = await wallet.make(scriptedContract({ contract_info: { name: "Odd" }, nft_info: invalid }));
  const asked = says("mint", ["1"], [["owner", wallet.address]]);
  await wallet.call([contract, asked]);
  await wallet.call([
    contract,
    says(
      "mint",
      ["2"],
      [
        ["owner", wallet.address],
        ["token_uri", "ipfs://\0a"],
      ],
    ),
  ]);
  const tokens = [...(await readTest()).folded.tokensOf(hexOf(contract)).values()];
  expect(tokens.map(({ tokenId, uri }) => [tokenId, uri])).toEqual([
    ["1", "ipfs://\uFFFDa"],
    ["2", "ipfs://\0a"],
  ]);
});

test("an action of the contract's own makes the reader ask for the token's owner and URI", async () => {
  const answers = { owner_of: { owner: others[1], approvals: [] }, nft_info: { token_uri: "ipfs://new" } };
  const contract = await wallet.make(scriptedContract({ contract_info: { name: "Own" }, ...answers }));
  await wallet.call([contract, emits(`action=mint token_id=1 owner=${wallet.address} token_uri=ipfs://old`)]);
  await wallet.call([contract, emits("action=update_token_metadata token_id=1 token_uri=ipfs://new")]);
  await wallet.call([contract, emits("token_id=2")]);
  const tokens = [...(await readTest()).folded.tokensOf(hexOf(contract)).values()];
  expect(tokens.map(({ tokenId, owner, uri }) => [tokenId, owner, uri])).toEqual([
    ["1", hexOf(others[1]), "ipfs://new"],
    ["2", hexOf(others[1]), "ipfs://new"],
  ]);
});

test("another contract's event about a token is not about a collection", async () => {
  const market = await wallet.make(scriptedContract({ contract_info: { name: "Market" } }));
  await wallet.call([market, emits("action=list token_id=1 price=7")]);
  expect((await readTest()).folded.collections).toEqual(new Map());
});

test("a token that its contract does not know is not created, whatever the event says", async () => {
  const contract = await wallet.make(scriptedContract({ contract_info: { name: "Liar" }, nft_info: "[" }));
  await wallet.call([contract, says("mint", ["1", "2"], [["owner", wallet.address]])]);
  await wallet.call([contract, says("transfer_nft", ["3"], [["recipient", "init1short"]])]);
  await wallet.call([contract, says("mint", ["4"], [["owner", wallet.address]])]);
  const tokens = (await readTest()).folded.tokensOf(hexOf(contract));
  expect([...tokens.values()].map(({ tokenId, uri }) => [tokenId, uri])).toEqual([["4", ""]]);
});

test("a contract cannot emit events of another", async () => {
  const cats = await wallet.make(nftContract("Cats", wallet.address));
  const liar = await wallet.make(scriptedContract({ contract_info: { name: "Liar" } }));
  const told = [
    ["_contract_address", cats],
    ["action", "mint"],
    ["token_id", "1"],
    ["owner", others[0]],
  ];
  await expect(wallet.call([liar, { tell: told }])).rejects.toThrow("reserved prefix");
  expect((await readTest()).changes.map(({ kind }) => kind)).toEqual(["collection"]);
});

test("after any sequence of transactions the tokens match the chain, whether read in one pass or in parts", async () => {
  const random = seededRandom(fuzzSeed());
  const receiver = await wallet.make(scriptedContract({}));
  const contracts = [
    await wallet.make(nftContract("A", wallet.address)),
    await wallet.make(nftContract("B", wallet.address)),
  ];
  const held = new Map(contracts.map((contract) => [contract, new Set<string>()]));
  let minted = 0;
  for (let transaction = 0; transaction < fuzzRuns(10); transaction += 1) {
    const calls = Array.from({ length: 1 + random.below(6) }, (): ContractCall => {
      const contract = random.pick(contracts);
      const tokens = held.get(contract) ?? new Set();
      const kind = random.pick(["mint", "mint", "transfer", "send", "burn", "describe"] as const);
      if (kind === "mint" || tokens.size === 0) {
        minted += 1;
        // Unique, and not in the order of minting.
        const tokenId = String(1000 * random.below(1000) + minted);
        tokens.add(tokenId);
        return [contract, mint(tokenId, wallet.address, random.pick([undefined, "", `ipfs://${tokenId}`]))];
      }
      const tokenId = random.pick([...tokens]);
      if (kind === "describe") {
        return [
          contract,
          { update_nft_info: { token_id: tokenId, token_uri: `ipfs://${transaction}`, extension: null } },
        ];
      }
      tokens.delete(tokenId);
      if (kind === "burn") return [contract, { burn: { token_id: tokenId } }];
      if (kind === "send") return [contract, { send_nft: { contract: receiver, token_id: tokenId, msg: "" } }];
      return [contract, { transfer_nft: { recipient: random.pick(others), token_id: tokenId } }];
    });
    await wallet.call(...calls);
  }
  const { folded } = await readTest();
  const head = await chain.readHead(signal);
  const inParts = new FoldedChain();
  for (let from = first; from <= head;) {
    const to = Math.min(head, from + random.below(7));
    const isKnown = (address: HexAddress) => inParts.collections.has(address);
    inParts.apply(await chain.readBlocks(from, to, { isKnown, signal }));
    from = to + 1;
  }
  for (const contract of contracts) {
    const expected = await tokensOnChain(contract);
    const tokens = folded.tokensOf(hexOf(contract));
    expect(new Map([...tokens.values()].map(({ tokenId, owner, uri }) => [tokenId, [owner, uri]]))).toEqual(expected);
    expect(inParts.tokensOf(hexOf(contract))).toEqual(tokens);
  }
});

/** Every token of a contract with its owner and URI, according to the contract. */
async function tokensOnChain(contract: string): Promise<ReadonlyMap<string, readonly [HexAddress, string]>> {
  const tokens = new Map<string, readonly [HexAddress, string]>();
  for (let last: string | undefined; ;) {
    const query = { all_tokens: { limit: 100, start_after: last ?? null } };
    const page: { readonly tokens: readonly string[] } = await wallet.query(contract, query);
    for (const id of page.tokens) {
      const { access, info } = await wallet.query<{
        readonly access: { readonly owner: string };
        readonly info: { readonly token_uri: string | null };
      }>(contract, { all_nft_info: { token_id: id } });
      tokens.set(id, [hexOf(access.owner), info.token_uri ?? ""]);
    }
    last = page.tokens.at(-1);
    if (last === undefined) return tokens;
  }
}
