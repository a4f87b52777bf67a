import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { startHardhat } from "@vipscore/localnet";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { evmChain } from "../../src/chain/evm/evmChain.ts";
import { openStore, type Store } from "../../src/store/openStore.ts";
import { minter, Wallet, type Deployed } from "../evm/wallet.ts";
import { withUris } from "../withUris.ts";
import { dumpDatabase } from "./dumpDatabase.ts";
import { startFollowing } from "./following.ts";
import { live, steps } from "./randomLife.ts";

const seed = fuzzSeed();
const { signal } = new AbortController();

async function tokensOf(store: Store, { address: collectionAddr }: Deployed) {
  const page = { place: { offset: 0n }, limit: 100_000, reverse: false } as const;
  return store.readTokens({ filter: { collectionAddr }, orderBy: "height", ...page });
}

/** Follows into a file until the head, in one pass, and reads each URI with its block. */
async function indexInOneGo(rpcUrl: string, file: string): Promise<void> {
  const store = await openStore(file);
  try {
    const chain = withUris(evmChain({ jsonRpcUrl: rpcUrl }));
    const following = startFollowing({ chain, store });
    await following.untilRead(await chain.readHead(signal));
    await following.stop();
  } finally {
    await store.close();
  }
}

describe.each([
  { name: "Hardhat", start: () => startHardhat() },
  { name: "anvil", start: () => startAnvil() },
])("$name", ({ start }) => {
  const node = started(() => start());
  let wallet: Wallet;
  beforeAll(async () => {
    wallet = new Wallet(node.rpcUrl);
  });

  test("the index matches the chain, whenever the follower was stopped", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.array(fc.nat(40), { maxLength: 8 }), async (life, stops) => {
        const nft = await wallet.deploy(await readDemoNft(), "Random", "RND");
        const run = temporaryFolder();
        const interrupted = join(run, "interrupted.sqlite");
        const following = followWithStops(node.rpcUrl, interrupted, stops);
        const alive = await live(nft, life);
        await following.finish();
        const store = await openStore(interrupted);
        const tokens = await tokensOf(store, nft);
        await store.close();
        const told = new Map(tokens.map(({ tokenId, owner, uri }) => [BigInt(tokenId), { owner, uri }]));
        expect([...told.keys()].sort((a, b) => Number(a - b))).toEqual(alive);
        for (const id of alive) {
          const [owner, uri] = [await nft.read<string>("ownerOf", id), await nft.read<string>("tokenURI", id)];
          expect(told.get(id)).toEqual({ owner: owner.toLowerCase(), uri });
        }
        const whole = join(run, "whole.sqlite");
        await indexInOneGo(node.rpcUrl, whole);
        expect(dumpDatabase(interrupted)).toBe(dumpDatabase(whole));
      }),
      { seed, numRuns: fuzzRuns(4) },
    );
  });

  test("a block of a thousand mints is read in a few requests", async () => {
    const nft = await wallet.deploy(await readDemoNft(), "Many", "MANY");
    // Four transactions: a thousand mints take more gas than one may use.
    for (let part = 0; part < 4; part += 1)
      await nft.send(
        "mint",
        Array.from({ length: 250 }, () => minter.address),
      );
    const chain = evmChain({ jsonRpcUrl: node.rpcUrl });
    const requests = vi.spyOn(globalThis, "fetch");
    const options = { isKnown: () => false, signal };
    const blocks = await chain.readBlocks(nft.created.height, await chain.readHead(signal), options);
    expect(blocks.flatMap(({ changes }) => changes.filter(({ kind }) => kind === "minted"))).toHaveLength(1000);
    expect(requests.mock.calls.length).toBeLessThan(30);
    requests.mockRestore();
  });
});

/**
 * Follows into a file, and stops and restarts after each of the given numbers of blocks; the signal comes while the next
 * blocks are read. `finish` resolves when the head is reached and the file is closed.
 */
function followWithStops(rpcUrl: string, file: string, stops: readonly number[]): { finish: () => Promise<void> } {
  const chain = evmChain({ jsonRpcUrl: rpcUrl });
  let target: Promise<number> | undefined;
  const run = async (): Promise<void> => {
    for (const stop of [...stops, Number.POSITIVE_INFINITY]) {
      const store = await openStore(file);
      let blocks = 0;
      const enough = latch();
      const following = startFollowing({
        chain,
        store,
        onEvent: (event) => {
          if (event.type === "indexed" && ++blocks > stop) enough.open();
        },
      });
      const height = finished.opened.then(() => (target ??= chain.readHead(signal)));
      await Promise.race([enough.opened, height.then((head) => following.untilRead(head)), following.ended]);
      await following.stop();
      await store.close();
    }
  };
  const finished = latch();
  const running = run();
  running.catch(() => undefined);
  return {
    finish: async () => {
      finished.open();
      await running;
    },
  };
}

/** A promise that `open` resolves. */
function latch(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
