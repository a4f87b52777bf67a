import type { Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, someAddresses, type Chain, type Contract } from "./chain.ts";

const U64_MAX = 2n ** 64n - 1n;
const CAP = 1_000_000n;
const [a, b] = someAddresses(2) as [Address, Address];

let chain: Chain;
let owner: Address;
let player: Address;
let other: Address;
beforeAll(async () => {
  chain = await openChain();
  [owner, player, other] = chain.accounts as [Address, Address, Address];
});

describe("Arena, which scores in its users' own transactions", () => {
  let scores: Contract;
  let arena: Contract;
  beforeEach(async () => {
    scores = await chain.deploy("VipScore", [4n]);
    arena = await chain.deploy("Arena", [scores.address]);
    await scores.send(owner, "addAllowList", [arena.address]);
  });

  const scoreOf = async (stage: bigint, account: Address) => scores.read("scores", [stage, account]);
  const names = async (points: bigint) => (await arena.send(player, "win", [points])).events.map(({ name }) => name);

  it("adds each win to the player's score", async () => {
    await arena.send(player, "win", [5n]);
    await arena.send(player, "win", [7n]);
    await arena.send(other, "win", [1n]);
    expect(await scoreOf(4n, player)).toEqual([true, 12n]);
    expect(await scores.read("getStage", [4n])).toMatchObject({ totalScore: 13n, scoreCount: 2n, revision: 3n });
  });

  it("moves on to the open stage, over several at once", async () => {
    for (const stage of [4n, 5n, 6n]) await scores.send(owner, "finalizeStage", [stage]);
    await arena.send(player, "win", [5n]);
    expect(await scoreOf(7n, player)).toEqual([true, 5n]);
    expect(await arena.read("stage")).toBe(7n);
  });

  it("keeps the win if the score is refused, and says why", async () => {
    await arena.send(player, "win", [5n]);
    const { events } = await arena.send(player, "win", [U64_MAX]);
    const reason = expect.stringMatching(/^0x[0-9a-f]+$/) as string;
    expect(events).toEqual([
      { name: "Won", args: { player, points: U64_MAX } },
      { name: "NotScored", args: { player, points: U64_MAX, reason } },
    ]);
    await scores.send(owner, "removeAllowList", [arena.address]);
    expect(await names(5n)).toEqual(["Won", "NotScored"]);
    expect(await scoreOf(4n, player)).toEqual([true, 5n]);
  });

  it("costs the gas of docs/performance.md beside a plain event", async () => {
    const plain = await chain.deploy("PlainEvent", []);
    const [alone] = [(await plain.send(player, "win", [5n])).gasUsed, await arena.send(other, "win", [5n])];
    const first = (await arena.send(player, "win", [5n])).gasUsed - alone;
    const again = (await arena.send(player, "win", [5n])).gasUsed - alone;
    console.log(`EVM: a win without a score ${alone} gas; the score adds ${first} for a new account, ${again} later`);
    expect(first).toBeLessThan(130_000n);
    expect(again).toBeLessThan(40_000n);
  });
});

describe("CappedScores, a changed scoring contract", () => {
  let scores: Contract;
  beforeEach(async () => {
    scores = await chain.deploy("CappedScores", [1n]);
  });

  it("refuses every write above the cap, and nothing of the batch is written", async () => {
    const above = { name: "ScoreAboveCap", args: [1n, b, CAP + 1n] };
    expect(await scores.send(owner, "updateScores", [1n, [a, b], [CAP, CAP + 1n]])).toMatchObject({ error: above });
    expect(await scores.send(owner, "updateScore", [1n, b, CAP + 1n])).toMatchObject({ error: above });
    await scores.send(owner, "increaseScore", [1n, b, CAP]);
    expect(await scores.send(owner, "increaseScore", [1n, b, 1n])).toMatchObject({ error: above });
    expect((await scores.send(owner, "updateScoresPacked", [1n, []])).error).toBeDefined();
    expect(await scores.read("getStage", [1n])).toMatchObject({ totalScore: CAP, scoreCount: 1n, revision: 1n });
    expect(await scores.read("contractVersion")).toBe("2.1.0-acme");
  });
});
