import { pad, toEventSelector } from "viem";
import { beforeAll, expect, test } from "vitest";
import { deployEmitter, type Emitter } from "@vipscore/testkit/eventEmitter";
import { limitNode, limits, limitWays } from "@vipscore/testkit/faults/limitedNode";
import { playHardhat } from "@vipscore/testkit/playHardhat";
import { collectSource } from "./collectSource.ts";
import { alice } from "./policyFolder.ts";

const events = 40;
const chain = playHardhat();
let emitter: Emitter;
let last: number;

beforeAll(async () => {
  emitter = await deployEmitter((method, params) => chain.request({ method, params }), 2);
  for (let index = 1; index <= events; index += 1) {
    const value = pad(`0x${index.toString(16)}`);
    last = await emitter.emit(toEventSelector("Traded(address,uint256)"), pad(alice), value);
  }
});

async function collect(rpcUrl: string) {
  const startedAt = performance.now();
  const source = `kind = "evm_events"\ncontracts = ["${emitter.address}"]\nevent = "event Traded(address indexed trader, uint256 volume)"`;
  const { digest, rows } = await collectSource({ vm: "evm", rpcUrl, chainId: "31337" }, source, { blocks: [1, last] });
  return { digest, rows: rows.length, tookMs: Math.round(performance.now() - startedAt) };
}

test.each(limits.flatMap((limit) => limitWays.map((way) => ({ way, limit, title: way.title, calls: limit.calls }))))(
  "$title, above $calls: the same rows",
  async ({ way, limit, title }) => {
    const unlimited = await collect(chain.url);
    expect(unlimited.rows).toBe(events);
    await using node = await limitNode(chain.url, way, limit);
    const limited = await collect(node.url);
    expect(limited).toMatchObject({ digest: unlimited.digest, rows: events });
    // A slow machine stays below 25 calls, but not below 5 with one batch.
    if (limit.calls === 5) expect(node.refused()).toBeGreaterThan(0);
    console.info(`${title}, above ${limit.calls}: ${limited.tookMs} ms, unlimited ${unlimited.tookMs} ms`);
  },
);
