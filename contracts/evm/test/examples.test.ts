import type { Address, Hash } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, type Chain, type Contract } from "./chain.ts";
import { eventsOf } from "./outcomeOf.ts";
import { someAddresses } from "./someAddress.ts";

const U64_MAX = 2n ** 64n - 1n;
const CAP = 1_000_000n;
const [a, b] = someAddresses(2) as [Address, Address];

let chain: Chain;
let player: Address;
let other: Address;
beforeAll(async () => {
  chain = await openChain();
  [, player, other] = chain.accounts as [Address, Address, Address];
});

describe("Arena, which scores in its users' own transactions", () => {
  let scores: Contract;
  let arena: Contract;
  beforeEach(async () => {
    scores = await chain.viem.deployContract("VipScore", [4n]);
    arena = await chain.viem.deployContract("Arena", [scores.address]);
    await scores.write.addAllowList([arena.address]);
  });

  const win = async (account: Address, points: bigint): Promise<Hash> => arena.write.win([points], { account });
  const scoreOf = async (stage: bigint, account: Address) => scores.read.scores([stage, account]);

  it("adds each win to the player's score", async () => {
    await win(player, 5n);
    await win(player, 7n);
    await win(other, 1n);
    expect(await scoreOf(4n, player)).toEqual([true, 12n]);
    expect(await scores.read.getStage([4n])).toMatchObject({ totalScore: 13n, scoreCount: 2n, revision: 3n });
  });

  it("moves on to the open stage, over several at once", async () => {
    for (const stage of [4n, 5n, 6n]) await scores.write.finalizeStage([stage]);
    await win(player, 5n);
    expect(await scoreOf(7n, player)).toEqual([true, 5n]);
    expect(await arena.read.stage()).toBe(7n);
  });

  it("keeps the win if the score is refused, and says why", async () => {
    await win(player, 5n);
    const reason = expect.stringMatching(/^0x[0-9a-f]+$/) as string;
    expect(await eventsOf(chain, arena, win(player, U64_MAX))).toEqual([
      { name: "Won", args: { player, points: U64_MAX } },
      { name: "NotScored", args: { player, points: U64_MAX, reason } },
    ]);
    await scores.write.removeAllowList([arena.address]);
    const events = await eventsOf(chain, arena, win(player, 5n));
    expect(events.map(({ name }) => name)).toEqual(["Won", "NotScored"]);
    expect(await scoreOf(4n, player)).toEqual([true, 5n]);
  });

  it("has no win without its score, with any gas", async () => {
    const reset = await chain.snapshot();
    const outcomes = new Set<string>();
    for (let gas = 30_000n; gas < 250_000n; gas += 500n) {
      await reset();
      const sent = arena.write.win([5n], { account: player, gas });
      const names = await eventsOf(chain, arena, sent).then(
        (events) => events.map(({ name }) => name),
        () => ["no win"],
      );
      const [isScored] = (await scoreOf(4n, player)) as [boolean, bigint];
      outcomes.add(`${names.join(" ")}, ${isScored ? "scored" : "not scored"}`);
    }
    expect([...outcomes]).toEqual(["no win, not scored", "Won, scored"]);
  });

  it("costs the gas of docs/performance.md beside a plain event", async () => {
    const plain = await chain.viem.deployContract("PlainEvent");
    const gasOf = async (sent: Promise<Hash>) =>
      (await chain.reader.getTransactionReceipt({ hash: await sent })).gasUsed;
    const alone = await gasOf(plain.write.win([5n], { account: player }));
    await win(other, 5n);
    const first = (await gasOf(win(player, 5n))) - alone;
    const again = (await gasOf(win(player, 5n))) - alone;
    console.log(`EVM: a win without a score ${alone} gas; the score adds ${first} for a new account, ${again} later`);
    expect(first).toBeLessThan(130_000n);
    expect(again).toBeLessThan(40_000n);
  });
});

describe("CappedScores, a changed scoring contract", () => {
  let scores: Contract;
  beforeEach(async () => {
    scores = await chain.viem.deployContract("CappedScores", [1n]);
  });

  it("refuses every write above the cap, and nothing of the batch is written", async () => {
    const { assertions } = chain.viem;
    const expectRevert = async (call: Promise<Hash>) =>
      assertions.revertWithCustomErrorWithArgs(call, scores, "ScoreAboveCap", [1n, b, CAP + 1n]);
    await expectRevert(scores.write.updateScores([1n, [a, b], [CAP, CAP + 1n]]));
    await expectRevert(scores.write.updateScore([1n, b, CAP + 1n]));
    await scores.write.increaseScore([1n, b, CAP]);
    await expectRevert(scores.write.increaseScore([1n, b, 1n]));
    await assertions.revertWith(scores.read.updateScoresPacked([1n, []]), "packed batches pass no row hook");
    expect(await scores.read.getStage([1n])).toMatchObject({ totalScore: CAP, scoreCount: 1n, revision: 1n });
    expect(await scores.read.contractVersion()).toBe("2.1.0-acme");
  });
});
