import { expect, test } from "vitest";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { startMinievm } from "@vipscore/testkit/minievm";
import { evmChain } from "../../src/chain/evm/evmChain.ts";
import { startFollowing } from "../follow/following.ts";
import { openNew } from "../store/databases.ts";
import { minter, Wallet } from "./wallet.ts";

test("a block is read once the node has its state, so that no URI is empty", async () => {
  await using node = await startMinievm({ blockTimeMs: 1_000, stateLagMs: 900 });
  const nft = await new Wallet(node.rpcUrl).deploy(await readDemoNft(), "Cats", "CAT");
  const store = await openNew(async () => ":memory:");
  const { stop } = startFollowing({ chain: evmChain({ jsonRpcUrl: node.rpcUrl }), store });
  const ids = ["1", "2", "3"];
  for (const _ of ids) {
    const { height } = await nft.send("mint", [minter.address]);
    await expect.poll(async () => (await store.readChain())?.height).toBeGreaterThanOrEqual(height);
    await expect.poll(async () => (await store.readStatus())?.pendingUris).toBe(0);
  }
  await stop();
  const filter = { collectionAddr: nft.address };
  const page = { place: { offset: 0n }, limit: 100, reverse: false } as const;
  const tokens = await store.readTokens({ filter, orderBy: "token_id", ...page });
  expect(tokens.map(({ tokenId, uri }) => [tokenId, uri])).toEqual(ids.map((id) => [id, expect.stringContaining(id)]));
});
