import { expect, test } from "vitest";
import { readVipStage } from "../src/index.ts";
import { absent, block, json, refusal, resource, serve, text, type Answer } from "./l1Server.ts";
import { running } from "./vipStages.ts";

const mainnetVip = "0x3a886b32a802582f2e446e74d4a24d1d7ed01adf46d2a8f65c5723887e708789";

test("the stage, its times and the parameters, exact, read at the height of the newest block", async () => {
  await using server = await serve(block(), resource());
  expect(await readVipStage({ l1RestUrl: `${server.url}/` })).toEqual({
    ...running,
    vip: { address: mainnetVip, isConfirmed: true },
    height: 5365n,
    time: new Date("2026-11-21T06:06:15.640Z"),
    parameters: { ...running.parameters, minimumLockStakingPeriodSeconds: 15_724_800n },
  });
  expect(server.requests.map(({ path }) => path)).toEqual([
    "/cosmos/base/tendermint/v1beta1/blocks/latest",
    `/initia/move/v1/accounts/${mainnetVip}/resources/by_struct_tag?struct_tag=${mainnetVip}%3A%3Avip%3A%3AModuleStore`,
  ]);
  expect(server.requests[1]?.headers["x-cosmos-block-height"]).toBe("5365");
});

test("numbers too large for a JavaScript number stay exact", async () => {
  const most = "18446744073709551615";
  await using server = await serve(block(), resource({ stage: most, minimum_eligible_tvl: "9007199254740993" }));
  const { stage, parameters } = await readVipStage({ l1RestUrl: server.url });
  expect([stage, parameters.minimumEligibleTvl]).toEqual([2n ** 64n - 1n, 2n ** 53n + 1n]);
});

test("a stage past its end is overdue by L1's own clock; before the first stage, no stage is", async () => {
  const past = { stage_start_time: "1794000000", stage_end_time: "1794916800" };
  await using server = await serve(block(), resource(past), block(), resource({ ...past, stage: "0" }));
  expect((await readVipStage({ l1RestUrl: server.url })).isOverdue).toBe(true);
  expect((await readVipStage({ l1RestUrl: server.url })).isOverdue).toBe(false);
});

test("the testnet's address is known but not confirmed; a given one takes precedence", async () => {
  const testnet = block({ chain_id: "initiation-2" });
  await using server = await serve(testnet, resource(), testnet, resource());
  expect((await readVipStage({ l1RestUrl: server.url })).vip.isConfirmed).toBe(false);
  // Move omits leading zeros.
  const { vip } = await readVipStage({ l1RestUrl: server.url, vipAddress: ` 0x${"ab".repeat(31)} ` });
  expect(vip).toEqual({ address: `0x00${"ab".repeat(31)}`, isConfirmed: true });
});

test("any other chain needs an address", async () => {
  await using server = await serve(block({ chain_id: "minimove-1" }));
  await expect(readVipStage({ l1RestUrl: server.url })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  expect(server.requests).toHaveLength(1);
});

test.each(["", "0x", "0x0", "vip", `0x${"1".repeat(65)}`, "init1wrong"])(
  "refuses %j as an address",
  async (vipAddress) => {
    await using server = await serve(block(), resource());
    const reading = readVipStage({ l1RestUrl: server.url, vipAddress });
    await expect(reading).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(server.requests).toHaveLength(0);
  },
);

test.each([
  ["no module", 3, [absent, absent]],
  ["a module of another kind of error", 3, [absent, refusal(3, "invalid address", 400)]],
  // Recorded from a chain without the route.
  ["a chain without Move", 2, [refusal(12, "Not Implemented", 501)]],
])("%s at the address", async (_, requests, answers) => {
  await using server = await serve(block(), ...answers);
  await expect(readVipStage({ l1RestUrl: server.url })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  expect(server.requests).toHaveLength(requests);
});

test("a module without its data is not a wrong address", async () => {
  const found = json({ module: { address: mainnetVip, module_name: "vip", abi: "{}", raw_bytes: "" } });
  await using server = await serve(block(), absent, found);
  await expect(readVipStage({ l1RestUrl: server.url })).rejects.toMatchObject({ code: "VIP_NOT_INITIALIZED" });
  expect(server.requests.at(-1)).toMatchObject({
    path: `/initia/move/v1/accounts/${mainnetVip}/modules/vip`,
    headers: { "x-cosmos-block-height": "5365" },
  });
});

test("an unreadable answer is requested again", async () => {
  await using server = await serve(json({}), block(), resource({ stage: null }), resource());
  expect(await readVipStage({ l1RestUrl: server.url })).toMatchObject({ height: 5365n, stage: 12n });
  expect(server.requests).toHaveLength(4);
});

/** Answers, and the name that the error about the last one must contain. */
type Case = readonly [named: string, ...answers: Answer[]];

/** The errors of all cases, run in parallel because each is retried for seconds. */
function errorsOf(cases: readonly Case[]): Promise<readonly unknown[]> {
  const readings = cases.map(async ([, ...answers]) => {
    await using server = await serve(...answers);
    return await readVipStage({ l1RestUrl: server.url }).catch((error: unknown) => error);
  });
  return Promise.all(readings);
}

function unreadable(cases: readonly Case[]): readonly unknown[] {
  return cases.map(([named]): unknown => {
    const shortMessage: unknown = expect.stringContaining(named);
    return expect.objectContaining({ code: "NODE_BAD_RESPONSE", shortMessage });
  });
}

test("the error names the field of the store that cannot be read", async () => {
  const values: Readonly<Record<string, readonly unknown[]>> = {
    stage: [undefined, 12, "-1", "1.5", "", "18446744073709551616", "0x1", null],
    stage_start_time: [undefined, "soon", "8640000000001"],
    stage_end_time: [undefined, "1794916799", {}],
    stage_interval: [undefined, "two weeks"],
    vesting_period: [undefined, true],
    challenge_period: [undefined, [1]],
    minimum_score_ratio: [undefined, 0.5, "1/2", "0.1234567890123456789", "1e3", "."],
    minimum_eligible_tvl: [undefined, "1".repeat(21)],
  };
  const cases = Object.entries(values).flatMap(([field, wrong]) =>
    wrong.map((value): Case => [`.data.${field} `, block(), resource({ [field]: value })]),
  );
  expect(cases).toHaveLength(28);
  expect(await errorsOf(cases)).toEqual(unreadable(cases));
});

test("the error names the field of the newest block that cannot be read", async () => {
  const cases: readonly Case[] = [
    [" block.header ", json({ block: {} })],
    [" block.header.height ", block({ height: 5365 })],
    [" block.header.chain_id ", block({ chain_id: null })],
    [" block.header.time ", block({ time: "yesterday" })],
    ["a web page", text("<html></html>")],
    ["nothing", text("")],
  ];
  expect(await errorsOf(cases)).toEqual(unreadable(cases));
});

const resourceOf = (move_resource: unknown): Answer => json({ resource: { move_resource } });

test("the error names the part of the resource that cannot be read", async () => {
  const typed = (type: string, data: unknown): Answer => resourceOf(JSON.stringify({ type, data }));
  const cases: readonly Case[] = [
    [" resource ", block(), json({})],
    [" resource.move_resource ", block(), resourceOf(undefined)],
    [" resource.move_resource ", block(), resourceOf({ data: {} })],
    [" resource.move_resource ", block(), resourceOf("{")],
    [" resource.move_resource ", block(), resourceOf("[]")],
    [" resource.move_resource.type ", block(), typed("0x1::vip_score::ModuleStore", {})],
    [" resource.move_resource.data ", block(), typed("0x1::vip::ModuleStore", [])],
  ];
  expect(await errorsOf(cases)).toEqual(unreadable(cases));
});
