import { afterAll, beforeAll, expect, test } from "vitest";
import { readBech32 } from "@vipscore/blocks/cosmos";
import { startVipnode } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { mint, nftContract, openWasmWallet, scriptedContract, type WasmWallet } from "../cosmos/wasmWallet.ts";
import { policyOfNfts } from "./policyOfNfts.ts";
import { servedHoldings } from "./served.ts";
import { transactionHeight } from "./transactionHeight.ts";

const node = started(() => startVipnode({ vm: "wasm" }));
let wallet: WasmWallet;
let bobs: WasmWallet;
beforeAll(async () => {
  wallet = await openWasmWallet(node);
  bobs = await openWasmWallet(node, "operator");
});
afterAll(async () => {
  wallet.client.disconnect();
  bobs.client.disconnect();
});

const move = (tokenId: string, recipient: string) => ({ transfer_nft: { recipient, token_id: tokenId } });

test("holdings over time, and at the end those that the indexer serves", async () => {
  const heightOf = (hash: string) => transactionHeight(node, hash);
  const [owner, bob] = [readBech32(wallet.address), readBech32(bobs.address)];
  const cats = await wallet.make(nftContract("Cats", wallet.address));
  const dogs = await wallet.make(nftContract("Dogs", wallet.address));
  const mints = ["1", "2", "3"].map((id) => [cats, mint(id, wallet.address)] as const);
  const minted = await heightOf(await wallet.call(...mints, [dogs, mint("1", wallet.address)]));
  await bobs.call([cats, { approve_all: { operator: wallet.address, expires: null } }]);
  const moved = await heightOf(await wallet.call([cats, move("1", bobs.address)]));
  await wallet.call([cats, move("2", bobs.address)], [cats, move("2", wallet.address)]);
  const burned = await heightOf(await wallet.call([cats, { burn: { token_id: "3" } }]));
  const last = await heightOf(await wallet.call([dogs, move("1", bobs.address)]));
  const served = await servedHoldings({ rpcNodeUrl: node.rpcUrl }, cats, last);
  await wallet.call([cats, move("2", bobs.address)]);

  const policy = await policyOfNfts({ vm: "wasm", url: node.rpcUrl, chainId: node.chainId }, cats);
  const { over, held } = await policy.collect({ first: minted, last });
  const blocks = (first: number, end: number) => [first, end, end - first + 1];
  expect(over).toEqual([
    ["1", owner, ...blocks(minted, moved - 1)],
    ["1", bob, ...blocks(moved, last)],
    ["2", owner, ...blocks(minted, last)],
    ["3", owner, ...blocks(minted, burned - 1)],
  ]);
  expect(held).toEqual([
    ["1", bob, moved],
    ["2", owner, minted],
  ]);
  expect(held.map(([tokenId, to]) => [tokenId, to])).toEqual(served);
});

test("an event that does not say the owner is settled by the contract's state after its block", async () => {
  const cats = await wallet.make(scriptedContract({ owner_of: { owner: bobs.address } }));
  const dogs = await wallet.make(scriptedContract({}));
  const both = [
    ["action", "mint"],
    ["token_id", "1"],
    ["token_id", "2"],
  ];
  const told = await transactionHeight(node, await wallet.call([cats, { tell: both }], [dogs, { tell: both }]));
  const chain = { vm: "wasm", url: node.rpcUrl, chainId: node.chainId } as const;
  const ofCats = await policyOfNfts(chain, cats);
  const bob = readBech32(bobs.address);
  expect((await ofCats.collect({ first: told, last: told })).held).toEqual([
    ["1", bob, told],
    ["2", bob, told],
  ]);
  // It refuses to name an owner, as a contract does for a token that is burned.
  const ofDogs = await policyOfNfts(chain, dogs);
  expect((await ofDogs.collect({ first: told, last: told })).held).toEqual([]);
});

test.each([
  ["in a list", "token_ids=1,2,3,4"],
  ["in a list with spaces", "token_ids=1 , 2 , 3 , 4"],
  ["in JSON", 'minted_token_ids=["1","2","3","4"]'],
  ["in a range", "token_ids=1-4"],
  ["in a list of ranges", "token_ids=1..2,3,4"],
  ["by the first and the last", "start_token_id=1&end_token_id=4"],
  ["in several attributes", "token_id=1&token_ids=2,3&token_ids=4"],
])("tokens that one event names %s belong to whom the contract says, and are counted", async (_, attributes) => {
  const pairs = attributes.split("&").map((pair) => pair.split("="));
  const answers = { contract_info: { name: "Cats" }, owner_of: { owner: bobs.address }, num_tokens: { count: 6 } };
  const cats = await wallet.make(scriptedContract(answers));
  const plain = mintedPlainly(wallet.address);
  const minted = await transactionHeight(node, await wallet.call([cats, { tell: plain }]));
  const moved = await transactionHeight(node, await wallet.call([cats, { tell: [["action", "batch"], ...pairs] }]));
  const policy = await policyOfNfts({ vm: "wasm", url: node.rpcUrl, chainId: node.chainId }, cats);
  const [owner, bob] = [readBech32(wallet.address), readBech32(bobs.address)];
  const before = await policy.collect({ first: minted, last: minted });
  expect([before.held, before.leftOut]).toEqual([[["1", owner, minted]], 5]);
  const { held, leftOut } = await policy.collect({ first: minted, last: moved });
  expect(held).toEqual(["1", "2", "3", "4"].map((id) => [id, bob, moved]));
  expect(leftOut).toBe(2);
  expect(await servedHoldings({ rpcNodeUrl: node.rpcUrl }, cats, moved)).toEqual(held.map((row) => row.slice(0, 2)));
});

/** The attributes of a mint as cw721-base writes them. */
function mintedPlainly(to: string) {
  return Object.entries({ action: "mint", token_id: "1", owner: to });
}
