import { expect, test } from "vitest";
import { parseAccount } from "@vipscore/core";
import { checkChallenge, readChallengeTerms, readVoteRules, type VipBridge, type VoteRules } from "../src/index.ts";
import { checkChallengeTime } from "../src/proposal/checkVote.ts";
import { absent, block, json, resource, serve, tableEntry } from "./l1Server.ts";
import { params, running } from "./vipStages.ts";

const code = (expected: string): unknown => expect.objectContaining({ code: expected });

test("the rules of a vote", async () => {
  const uneven = { ...params, max_deposit_period: "0.000000002s", voting_period: "172800.5s" };
  await using server = await serve(json({ voting_params: {}, params }), json({ params: uneven }));
  const rules: VoteRules = {
    minimumDeposit: [{ denom: "uinit", amount: 100_000_000n }],
    depositPeriodSeconds: 60n,
    votingPeriodSeconds: 15n,
    expedited: { minimumDeposit: [{ denom: "uinit", amount: 200_000_000n }], votingPeriodSeconds: 10n },
  };
  expect(await readVoteRules({ l1RestUrl: server.url })).toEqual(rules);
  expect(await readVoteRules({ l1RestUrl: server.url })).toEqual({
    ...rules,
    depositPeriodSeconds: 0n,
    votingPeriodSeconds: 172_800n,
  });
  expect(server.requests[0]?.path).toBe("/cosmos/gov/v1/params/voting");
});

test("rules that cannot be read", async () => {
  const wrong = [
    { ...params, voting_period: null },
    { ...params, voting_period: "15" },
    { ...params, voting_period: "9999999999s" },
    { ...params, max_deposit_period: 60 },
    { ...params, min_deposit: [{ denom: "uinit", amount: "1.5" }] },
    { ...params, expedited_min_deposit: null },
  ];
  // In parallel, because each is retried for seconds.
  const readings = wrong.map(async (value) => {
    await using server = await serve(json({ params: value }));
    return await readVoteRules({ l1RestUrl: server.url }).catch((error: unknown) => error);
  });
  expect(await Promise.all(readings)).toEqual(wrong.map(() => code("NODE_BAD_RESPONSE")));
});

const day = 86_400;
/** A challenge period of three days, votes of two days, expedited ones of one. */
const current = { ...running, parameters: { ...running.parameters, challengePeriodSeconds: BigInt(3 * day) } };
const rules: VoteRules = {
  minimumDeposit: [{ denom: "uinit", amount: 100n }],
  depositPeriodSeconds: BigInt(2 * day),
  votingPeriodSeconds: BigInt(2 * day),
  expedited: { minimumDeposit: [{ denom: "uinit", amount: 500n }], votingPeriodSeconds: BigInt(day) },
};

/** Checks the time of a challenge that is written some seconds after the snapshot was submitted. */
function check(seconds: number, expedited = false): Date {
  const createdAt = new Date(current.time.getTime() - 1000 * seconds);
  return checkChallengeTime({ createdAt }, current, { rules, expedited });
}

test("a challenge must execute before the end of the period", () => {
  expect(check(0)).toEqual(new Date(current.time.getTime() + 1000 * day));
  expect(check(day - 1)).toEqual(new Date(current.time.getTime() + 1000));
  expect(() => check(day)).toThrowError(code("CHALLENGE_LATE"));
  expect(check(2 * day - 1, true)).toEqual(new Date(current.time.getTime() + 1000));
  expect(() => check(2 * day, true)).toThrowError(code("CHALLENGE_LATE"));
});

test("a challenge that is late says what can still be done", () => {
  const hint = (text: string): unknown => expect.objectContaining({ metaMessages: [expect.stringContaining(text)] });
  expect(() => check(day)).toThrowError(
    expect.objectContaining({ advice: [expect.objectContaining({ code: "expedite" })] }),
  );
  expect(() => check(day)).toThrowError(hint("500uinit"));
  expect(() => check(2 * day)).toThrowError(hint("vip::update_params"));
  expect(() => check(2 * day, true)).toThrowError(hint("vip::update_params"));
});

test("a challenge keeps VIP's agent, and has a number that is free", async () => {
  // Recorded from a node of L1 v1.4.6.
  const agent_data = { agent: "0x2bfa700914b768534c719cc1d62f4938474f1c8e", api_uri: "https://agent.example" };
  await using server = await serve(block(), resource({ agent_data }), tableEntry({}), absent);
  expect(await readChallengeTerms({ l1RestUrl: server.url })).toEqual({
    agent: parseAccount(agent_data.agent, { accountBytes: [20] }),
    apiUri: agent_data.api_uri,
    // One more than the height.
    challengeId: 5366n,
  });
  const key = encodeURIComponent(Buffer.from("0800000000000014f6", "hex").toString("base64"));
  expect(server.requests.at(-1)?.path).toBe(`/initia/move/v1/tables/0xc3/entries/by_key_bytes?key_bytes=${key}`);
});

test("a stage of a version that has ended: nobody waits for the agent", async () => {
  await using server = await serve(block(), resource(), absent);
  const l1 = { current, options: { l1RestUrl: server.url } };
  const bridge = { bridgeId: 7n, version: 2n, initStage: 13n } as VipBridge;
  const hintOf = (stage: bigint): Promise<unknown> =>
    checkChallenge(
      l1,
      bridge,
      { isFinalized: true },
      { stage, root: undefined, total: 1n },
      { rules, expedited: false },
    ).then(
      () => undefined,
      (error: unknown) => error,
    );
  const ended = expect.stringMatching(/\b13\b.*\bgovernance\b/) as unknown;
  expect(await hintOf(12n)).toMatchObject({ code: "CHALLENGE_NEEDLESS", metaMessages: [ended] });
  expect(await hintOf(13n)).not.toMatchObject({ metaMessages: [ended] });
});
