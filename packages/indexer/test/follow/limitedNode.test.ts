import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startHardhat } from "@vipscore/localnet";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { limitNode, limits, limitWays } from "@vipscore/testkit/faults/limitedNode";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { evmChain } from "../../src/chain/evm/evmChain.ts";
import { openStore } from "../../src/store/openStore.ts";
import { minter, Wallet } from "../evm/wallet.ts";
import { dumpDatabase } from "./dumpDatabase.ts";
import { startFollowing } from "./following.ts";

const tokens = 30;
const chain = started(() => startHardhat());
let head: number;
let expected: string;
let unlimitedMs: number;

beforeAll(async () => {
  const nft = await new Wallet(chain.rpcUrl).deploy(await readDemoNft(), "Limited", "LIM");
  for (let minted = 0; minted < tokens; minted += 10) {
    ({ height: head } = await nft.send("mint", [Array.from({ length: 10 }, () => minter.address)].flat()));
  }
  [expected, unlimitedMs] = await index(chain.rpcUrl);
});

/** Indexes the chain into a new database; returns its contents, and how long it took. */
async function index(jsonRpcUrl: string): Promise<[contents: string, tookMs: number]> {
  const file = join(temporaryFolder(), "nfts.sqlite");
  const startedAt = performance.now();
  const store = await openStore(file);
  const following = startFollowing({ chain: evmChain({ jsonRpcUrl }), store });
  await following.untilRead(head);
  await following.stop();
  expect(await store.readStatus()).toMatchObject({ pendingUris: 0, leftOut: 0 });
  await store.close();
  return [dumpDatabase(file), Math.round(performance.now() - startedAt)];
}

test("the database of an unlimited node has every URI", () => {
  expect(expected.match(/https:\/\/nft\.example\.org\/\d+/g)).toHaveLength(tokens);
});

test.each(limits.flatMap((limit) => limitWays.map((way) => ({ way, limit, title: way.title, calls: limit.calls }))))(
  "$title, above $calls: the same database",
  async ({ way, limit, title }) => {
    await using node = await limitNode(chain.rpcUrl, way, limit);
    const [contents, tookMs] = await index(node.url);
    expect(contents).toBe(expected);
    // A slow machine stays below 25 calls, but not below 5 with one batch.
    if (limit.calls === 5) expect(node.refused()).toBeGreaterThan(0);
    console.info(`${title}, above ${limit.calls}: ${tookMs} ms, unlimited ${unlimitedMs} ms`);
  },
);
