import fc from "fast-check";
import type { Hex } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { arbitraryCall } from "../arbitraryCalls.ts";
import { openChain, type Chain, type Contract } from "../chain.ts";
import { outcomeOf } from "../outcomeOf.ts";
import { packGroups } from "../packGroups.ts";
import { someAddresses } from "../someAddress.ts";
import { groupSlot, inBucketsSlot, presentSlot, stageSlot } from "../storageSlots.ts";

const SEQUENCES = fuzzRuns(50);
const FROZEN = 1n;
const ACCOUNTS = 600;

describe("a finalized stage", () => {
  let chain: Chain;
  let contract: Contract;
  let reset: () => Promise<void>;
  let before: readonly unknown[];
  const addrs = someAddresses(ACCOUNTS);

  beforeAll(async () => {
    chain = await openChain();
    contract = await chain.viem.deployContract("VipScore", [FROZEN]);
    await contract.write.addAllowList([chain.accounts[1]]);
    await contract.write.registerAccounts([addrs]);
    const scored = addrs.slice(0, 300);
    await contract.write.updateScores([FROZEN, scored, scored.map((_, i) => BigInt(i))]);
    await contract.write.updateScoresPacked([
      FROZEN,
      packGroups(
        new Map([
          [5, 0n],
          [301, 9n],
          [599, 8n],
        ]),
      ),
    ]);
    await contract.write.finalizeStage([FROZEN]);
    before = await storageOf(FROZEN);
    reset = await chain.snapshot();
  });

  const read = async (slot: Hex) => chain.reader.getStorageAt({ address: contract.address, slot });
  /** Every storage word of a stage that 600 accounts can have, and one more of each kind. */
  const storageOf = async (stage: bigint) =>
    Promise.all([
      read(stageSlot(stage)),
      ...[0, 1].map(async (span) => read(inBucketsSlot(stage, span))),
      ...[0, 1, 2, 3].map(async (bucket) => read(presentSlot(stage, bucket))),
      ...Array.from({ length: ACCOUNTS / 4 + 2 }, async (_, group) => read(groupSlot(stage, group))),
    ]);

  it("has its storage where the tests read it", async () => {
    const words = (await storageOf(FROZEN)).map((word) => BigInt(word as Hex));
    const u64 = (word: bigint, lane: number) => (word >> BigInt(64 * lane)) & (2n ** 64n - 1n);
    const sum = words
      .slice(7)
      .reduce((total, word) => total + u64(word, 0) + u64(word, 1) + u64(word, 2) + u64(word, 3), 0n);
    const [, total, isFinalized] = (await contract.read.stages([FROZEN])) as [bigint, bigint, boolean];
    expect([u64(words[0], 0), u64(words[0], 1), u64(words[0], 2), u64(words[0], 3)]).toEqual([
      FROZEN,
      total,
      2n,
      302n | (1n << 32n),
    ]);
    expect([sum, isFinalized]).toEqual([total, true]);
    const bits = words.slice(3, 7).map((word) => BigInt(word.toString(2).replaceAll("0", "").length));
    expect(bits).toEqual([255n, 46n, 1n, 0n]);
    expect(words.slice(1, 3)).toEqual([bits[0] | (bits[1] << 16n) | (bits[2] << 32n), 0n]);
  });

  it("keeps every word of its storage under any calls", async () => {
    const universe = {
      callers: chain.accounts.slice(0, 4),
      scored: [...addrs.slice(0, 6), addrs[300], addrs[598], ...someAddresses(2, ACCOUNTS)],
      ids: [1, 2, 3, 4, 5, 255, 256, 257, 301, 302, 599, 600],
      stages: [FROZEN, FROZEN, FROZEN, FROZEN + 1n, FROZEN + 1n, FROZEN + 2n],
    };
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryCall(universe), { minLength: 5, maxLength: 20 }), async (calls) => {
        await reset();
        for (const call of calls) {
          const sent = contract.write[call.name](call.args, { account: call.from });
          const { error, events } = await outcomeOf(chain, contract, sent);
          if (error === undefined) expect(events.filter(({ args }) => args["stage"] === FROZEN)).toEqual([]);
        }
        expect(await storageOf(FROZEN)).toEqual(before);
      }),
      { numRuns: SEQUENCES, seed: fuzzSeed() },
    );
  });
});
