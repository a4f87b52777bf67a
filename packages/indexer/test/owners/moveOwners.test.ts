import { expect, test } from "vitest";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { cosmosChain } from "../../src/chain/cosmos/cosmosChain.ts";
import { FoldedChain } from "../cosmos/foldChanges.ts";
import { burn, createCollection, mint, openMoveWallet, transfer } from "../cosmos/moveWallet.ts";
import { policyOfNfts } from "./policyOfNfts.ts";
import { servedHoldings } from "./served.ts";
import { transactionHeight } from "./transactionHeight.ts";

const owner = testAccounts.deployer.address.toLowerCase();
const bob = `0xc${"d".repeat(63)}`;
const { signal } = new AbortController();
const node = started(() => startVipnode({ vm: "move" }));

test("holdings over time, and at the end those that the indexer serves", async () => {
  const wallet = openMoveWallet(node);
  const chain = cosmosChain({ rpcNodeUrl: node.rpcUrl });
  const heightOf = (hash: string) => transactionHeight(node, hash);
  const ids = ["1", "2", "ü", "gone"];
  await wallet.call(createCollection("Dogs"), mint("Dogs", "1", ""));
  const minted = await heightOf(await wallet.call(createCollection("Cats"), ...ids.map((id) => mint("Cats", id, ""))));
  const head = await chain.readHead(signal);
  const folded = new FoldedChain().apply(await chain.readBlocks(1, head, { isKnown: () => false, signal }));
  const [collection = "0x"] = [...folded.collections].find(([, { name }]) => name === "Cats") ?? [];
  const tokens = folded.tokensOf(collection);
  const objectOf = (id: string) => tokens.get(id)?.objectAddr ?? "";
  const moved = await heightOf(await wallet.call(transfer(objectOf("1"), bob)));
  // There and back: the owner of a token may move the tokens that it owns.
  await wallet.call(transfer(objectOf("2"), objectOf("ü")), transfer(objectOf("2"), owner));
  const burned = await heightOf(await wallet.call(burn(objectOf("gone"))));
  const mintedAgain = await heightOf(await wallet.call(mint("Cats", "gone", "", bob)));
  const last = await heightOf(await wallet.call(transfer(objectOf("2"), objectOf("ü"))));
  const served = await servedHoldings({ rpcNodeUrl: node.rpcUrl }, collection, last);
  await wallet.call(transfer(objectOf("ü"), bob));

  const policy = await policyOfNfts({ vm: "move", url: node.rpcUrl, chainId: node.chainId }, collection);
  const { over, held } = await policy.collect({ first: minted, last });
  const blocks = (first: number, end: number) => [first, end, end - first + 1];
  expect(over).toEqual([
    ["1", owner, ...blocks(minted, moved - 1)],
    ["1", bob, ...blocks(moved, last)],
    ["2", owner, ...blocks(minted, last - 1)],
    ["2", objectOf("ü"), ...blocks(last, last)],
    ["gone", owner, ...blocks(minted, burned - 1)],
    ["gone", bob, ...blocks(mintedAgain, last)],
    ["ü", owner, ...blocks(minted, last)],
  ]);
  expect(held).toEqual([
    ["1", bob, moved],
    ["2", objectOf("ü"), last],
    ["gone", bob, mintedAgain],
    ["ü", owner, minted],
  ]);
  expect(held.map(([tokenId, to]) => [tokenId, to])).toEqual(served);
});
