import { expect, test } from "vitest";
import { parseAccount, stage, type Stage, type StageInfo } from "@vipscore/core";
import { checkBridgeBalance, checkNewStages, type VipStage } from "../src/index.ts";
import { checkFirstStage, checkReplacementStage } from "../src/proposal/checkFirstStage.ts";
import { json, serve } from "./l1Server.ts";
import { params, running } from "./vipStages.ts";

const code = (expected: string): unknown => expect.objectContaining({ code: expected });
const days = (number: number): Date => new Date(running.time.getTime() + number * 86_400_000);

// L1 is at stage 12, which ends in 10 days and 6 hours; later stages take 14 days.
test.each<readonly [what: string, initStage: bigint, voteEndsAt: Date, expected: bigint]>([
  ["the next stage, a vote within this one", 13n, days(2), 13n],
  ["the next stage, a vote until the next one", 13n, days(11), 14n],
  ["an earlier stage", 1n, days(2), 13n],
])("a contract that can always be paid: %s", (_, initStage, voteEndsAt, expected) => {
  expect(checkFirstStage(running, stage(initStage), voteEndsAt)).toEqual({ earliest: 13n, expected, warnings: [] });
});

test("a contract that starts later depends on the vote", () => {
  const found = checkFirstStage(running, stage(14n), days(11));
  expect(found).toMatchObject({ earliest: 13n, expected: 14n });
  expect(found.warnings).toHaveLength(1);
  for (const number of ["12", "13", "14"]) expect(found.warnings.join()).toMatch(new RegExp(`\\bstage ${number}\\b`));
  // The second next stage is due to start in 24 days and 6 hours.
  expect(checkFirstStage(running, stage(15n), days(25)).warnings).toHaveLength(1);
});

test.each([
  ["the vote ends in this stage", 14n, days(2)],
  ["the vote ends in the next one", 15n, days(11)],
  ["the vote ends just before", 14n, new Date(running.endsAt.getTime() - 1)],
])("a contract that can never be paid: %s", (_, initStage, voteEndsAt) => {
  expect(() => checkFirstStage(running, stage(initStage), voteEndsAt)).toThrowError(code("FIRST_STAGE_LATE"));
});

test("a stage that is overdue can end any time", () => {
  const overdue: VipStage = { ...running, time: days(11), isOverdue: true };
  expect(checkFirstStage(overdue, stage(14n), days(12)).warnings).toHaveLength(1);
  expect(() => checkFirstStage(overdue, stage(15n), days(12))).toThrowError(code("FIRST_STAGE_LATE"));
  // The agent may never make up for the time.
  const stopped = { ...overdue, time: days(300) };
  expect(checkFirstStage(stopped, stage(13n), days(302))).toMatchObject({ expected: 14n });
});

test("before VIP's first stage, and without an interval", () => {
  expect(checkFirstStage({ ...running, stage: 0n }, stage(1n), days(2))).toMatchObject({ earliest: 1n, expected: 1n });
  const ended = checkFirstStage({ ...running, intervalSeconds: 0n }, stage(13n), days(11));
  expect(ended).toMatchObject({ earliest: 13n, expected: 14n });
});

test("a replacement must have the next stage that L1 needs", () => {
  for (const fine of [1n, 3n, 4n]) expect(() => checkReplacementStage(stage(fine), 4n)).not.toThrow();
  for (const late of [5n, 9n]) {
    expect(() => checkReplacementStage(stage(late), 4n)).toThrowError(code("FIRST_STAGE_LATE"));
  }
});

/** What is said of a contract whose newest stage, an open one, is `newest`. L1 is at stage 12; by default the vote ends in it. */
async function newStages(
  newest: bigint,
  ended: readonly { readonly endStage: bigint }[],
  current = running,
): Promise<string> {
  const infoOf = (number: Stage): StageInfo | undefined =>
    number > newest ? undefined : { stage: number, isFinalized: number < newest, total: 5n, count: 1n, revision: 0n };
  const contract = {
    getHeight: () => Promise.resolve(1n),
    getInitStage: () => Promise.resolve(stage(5n)),
    getStage: (number: Stage) => Promise.resolve(infoOf(number)),
  };
  return (
    await checkNewStages(current, contract, new Date(current.time.getTime() + 2 * 86_400_000), ended, undefined)
  ).join("\n");
}

test("a rollup that is registered again: stages of the registration that has ended are not called empty", async () => {
  const unknown = /\bStage 10\b.*\bstage 13 if\b.*\bstage 12\. Finalize none without scores before\b/;
  expect(await newStages(10n, [])).toMatch(unknown);
  expect(await newStages(10n, [{ endStage: 7n }])).toMatch(unknown);
  for (const endStage of [10n, 11n]) {
    const said = await newStages(10n, [{ endStage: 7n }, { endStage }]);
    expect(said).toMatch(new RegExp(`\\bstage ${endStage}\\b.*\\bfinalize\\b.*\\bscores\\.`));
    expect(said).toMatch(unknown);
  }
  expect(await newStages(12n, [{ endStage: 12n }])).toMatch(/\bfinalize\b.*\bscores\. Stage 12\b/);
  expect(await newStages(13n, [{ endStage: 12n }])).toBe("");
});

test("an overdue stage: what follows from each stage at execution, and no number of stages to finalize", async () => {
  const overdue: VipStage = { ...running, time: days(11), isOverdue: true };
  const said = await newStages(12n, [], overdue);
  expect(said).toMatch(/\bstage 13\b.*\bstage 12, stage 14\b.*\bstage 13\b/);
  expect(said).not.toMatch(/\d stages?\b(?! \d)/);
});

const bridgeAddress = parseAccount(`0x${"b7".repeat(32)}`, { accountBytes: [32] });

/** Checks the balance of a bridge on an L1 with a minimum, and returns the requests. */
async function checkBalance(minimumEligibleTvl: bigint, amount: string, denom = "uinit"): Promise<readonly string[]> {
  const min_deposit = [{ denom, amount: "1" }];
  await using server = await serve(json({ params: { ...params, min_deposit } }), json({ balance: { denom, amount } }));
  const current = { ...running, parameters: { ...running.parameters, minimumEligibleTvl } };
  await checkBridgeBalance({ l1RestUrl: server.url, current, bridgeAddress });
  return server.requests.map(({ path }) => path);
}

const balancePath =
  "/cosmos/bank/v1beta1/balances/init1k7mm0dahk7mm0dahk7mm0dahk7mm0dahk7mm0dahk7mm0dahk7msdjlepn/by_denom?denom=";

test("a bridge holds VIP's minimum of L1's token", async () => {
  expect((await checkBalance(1_000_000n, "1000000")).at(-1)).toBe(`${balancePath}uinit`);
  expect((await checkBalance(1_000_000n, "1000001", "umin")).at(-1)).toBe(`${balancePath}umin`);
  expect(await checkBalance(0n, "0")).toEqual([]);
});

test("a bridge below the minimum: the vote would fail", async () => {
  for (const amount of ["999999", "0"]) {
    await expect(checkBalance(1_000_000n, amount)).rejects.toMatchObject({
      code: "BRIDGE_BELOW_MINIMUM",
      shortMessage: expect.stringMatching(new RegExp(`\\b${amount}uinit\\b.*\\b1000000uinit\\b`)) as unknown,
      metaMessages: [expect.stringContaining("852002") as unknown, expect.anything() as unknown],
    });
  }
});
