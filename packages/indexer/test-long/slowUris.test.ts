import { setTimeout as delay } from "node:timers/promises";
import { encodeAbiParameters } from "viem";
import { expect, test } from "vitest";
import { serveJsonRpc } from "@vipscore/localnet";
import { isLong } from "@vipscore/testkit/isLong";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import { evmChain } from "../src/chain/evm/evmChain.ts";
import type { NftChain } from "../src/chain/nftChain.ts";
import { openStore } from "../src/store/openStore.ts";
import { forwardTo } from "../test/evm/chains.ts";
import { compileOddNfts } from "../test/evm/compileOddNfts.ts";
import { Wallet } from "../test/evm/wallet.ts";
import { dumpDatabase } from "../test/follow/dumpDatabase.ts";
import { startFollowing } from "../test/follow/following.ts";
import { temporaryFile } from "../test/store/databases.ts";
import { withUris } from "../test/withUris.ts";

/** As many as are minted, in blocks of at most this many. */
const tokens = isLong ? 10_000 : 1_000;
const perBlock = 25_000;

/** The time of a minievm's core that a `tokenURI` takes, as measured on a real node, in milliseconds. */
const msOfUri = 3.6;

/** A node with one core, on which each call of `tokenURI` takes {@link msOfUri}; it answers them itself. */
async function startSlow() {
  const upstream = await startAnvil();
  const request = forwardTo(upstream.rpcUrl);
  let busyUntil = 0;
  let uris = 0;
  const server = await serveJsonRpc(async (method, params) => {
    const [, tokenId] = /"0xc87b56dd([0-9a-f]{64})"/.exec(JSON.stringify(params)) ?? [];
    if (tokenId !== undefined) {
      uris += 1;
      busyUntil = Math.max(performance.now(), busyUntil) + msOfUri;
    }
    if (busyUntil > performance.now()) await delay(busyUntil - performance.now());
    if (tokenId === undefined) return request(method, params);
    return encodeAbiParameters([{ type: "string" }], [`ipfs://${BigInt(`0x${tokenId}`)}`]);
  }, 0);
  const stop = async (): Promise<void> => {
    await server.close();
    await upstream.stop();
  };
  return { rpcUrl: server.url, upstreamUrl: upstream.rpcUrl, urisServed: () => uris, stop };
}

test(`the owners of ${tokens} tokens are stored before the first of their URIs is read`, async () => {
  const node = await startSlow();
  try {
    const gas = 1_900_000_000n;
    await forwardTo(node.upstreamUrl)("evm_setBlockGasLimit", [`0x${gas.toString(16)}`]);
    const contract = await new Wallet(node.upstreamUrl, gas).deploy((await compileOddNfts())["Hostile"]!);
    let head = 0;
    for (let minted = 0; minted < tokens; minted += perBlock) {
      const count = Math.min(perBlock, tokens - minted);
      head = (await contract.fill("mintMany", `0x${"a1".repeat(20)}`, BigInt(minted + 1), BigInt(count))).height;
    }

    /** Follows into a file until all URIs are read; returns it, and how many had been read when all owners were stored. */
    const follow = async (name: string, chain: NftChain) => {
      const file = await temporaryFile();
      const store = await openStore(file);
      const [started, before] = [performance.now(), node.urisServed()];
      const seconds = () => ((performance.now() - started) / 1_000).toFixed(1);
      let atHead: { readonly owners: string; readonly uris: number } | undefined;
      const following = startFollowing({
        chain,
        store,
        onEvent: (event) => {
          if (event.type !== "indexed" || event.height < head) return;
          atHead ??= { owners: seconds(), uris: node.urisServed() - before };
        },
      });
      await following.untilRead(head);
      console.log(`${name}: all owners after ${atHead?.owners} s, all URIs after ${seconds()} s`);
      await following.stop();
      await store.close();
      return { file, urisAtHead: atHead?.uris };
    };
    const chain = evmChain({ jsonRpcUrl: node.rpcUrl });
    const behind = await follow("URIs behind the blocks", chain);
    const together = await follow("each URI with its block", withUris(chain));
    expect(behind.urisAtHead).toBe(0);
    // A request that took too long on a busy machine was repeated.
    expect(together.urisAtHead).toBeGreaterThanOrEqual(tokens);
    expect(dumpDatabase(behind.file)).toBe(dumpDatabase(together.file));
  } finally {
    await node.stop();
  }
});
