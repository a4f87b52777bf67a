import { afterAll, beforeAll, expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { checkStageToFinalize, checkStageToWrite, readNodeVersion, readVipStage, type VipStage } from "../src/index.ts";
import { moduleStore } from "./l1Server.ts";
import { startL1, type LocalL1 } from "./startL1.ts";

let l1: LocalL1;
beforeAll(async () => {
  l1 = await startL1();
});
afterAll(() => l1[Symbol.asyncDispose]());

const read = (): Promise<VipStage> => readVipStage({ l1RestUrl: l1.restUrl, vipAddress: l1.vipAddress });
const twoWeeks = 1_209_600n;
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

test("genesis starts stage 1, of two weeks", async () => {
  const { stage: number, startsAt, endsAt, time, height, ...found } = await read();
  const { result } = (await (await fetch(`${l1.rpcUrl}/block?height=1`)).json()) as {
    readonly result: { readonly block: { readonly header: { readonly time: string } } };
  };
  const genesis = new Date(result.block.header.time).getTime();
  expect(number).toBe(1n);
  expect(endsAt.getTime() - startsAt.getTime()).toBe(1000 * Number(twoWeeks));
  // The start is rounded down to a second.
  expect(startsAt.getTime()).toBe(genesis - (genesis % 1000));
  expect(time.getTime()).toBeGreaterThanOrEqual(genesis);
  expect(height).toBeGreaterThan(0n);
  expect(found).toMatchObject({
    chainId: l1.chainId,
    vip: { address: l1.vipAddress, isConfirmed: true },
    isOverdue: false,
    intervalSeconds: twoWeeks,
    parameters: { challengePeriodSeconds: 86_400n, minimumScoreRatio: "0.5", minimumEligibleTvl: 0n },
  });
});

test("the resource has the fields that the other tests' scripted server imitates", async () => {
  const tag = `${l1.vipAddress}::vip::ModuleStore`;
  const path = `/initia/move/v1/accounts/${l1.vipAddress}/resources/by_struct_tag?struct_tag=${tag}`;
  const answer = (await (await fetch(`${l1.restUrl}${path}`)).json()) as { resource: { move_resource: string } };
  const { type, data } = JSON.parse(answer.resource.move_resource) as { type: string; data: Record<string, unknown> };
  expect(type).toBe(tag);
  const kinds = (fields: object): unknown =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value]));
  expect(kinds(data)).toEqual(kinds(moduleStore));
  expect(data["stage_data"]).toEqual({ handle: expect.stringMatching(/^0x[0-9a-f]+$/) as unknown, length: "0" });
});

test("a stage can be written while it runs, and finalized once L1 has moved on", async () => {
  const before = await read();
  expect(checkStageToWrite(before, stage(1n))).toEqual([]);
  expect(() => checkStageToFinalize(before, stage(1n))).toThrowError(code("STAGE_RUNNING"));
  expect(() => checkStageToWrite(before, stage(2n))).toThrowError(code("STAGE_AHEAD"));
  await l1.call("advance_stage");
  const after = await read();
  expect(after).toMatchObject({ stage: 2n, startsAt: before.endsAt });
  expect(checkStageToFinalize(after, stage(1n))).toEqual([]);
  expect(checkStageToWrite(after, stage(2n))).toEqual([]);
});

test("a stage past its end stays active until L1 advances it", async () => {
  const now = BigInt(Math.floor((await read()).time.getTime() / 1000));
  await l1.call("set_stage", 2n ** 64n - 2n, now - twoWeeks, now - 60n);
  const late = await read();
  expect(late).toMatchObject({ stage: 2n ** 64n - 2n, isOverdue: true });
  expect(() => checkStageToFinalize(late, stage(late.stage))).toThrowError(code("STAGE_RUNNING"));
});

test("the module refuses a stage that ends before it starts, and a second initialization", async () => {
  const before = await read();
  await expect(l1.call("set_stage", 7n, 2n, 1n)).rejects.toThrow(/code=65538/);
  await expect(l1.call("initialize", 1n)).rejects.toThrow(/code=327681/);
  expect((await read()).stage).toBe(before.stage);
});

test("another address has no module", async () => {
  const reading = readVipStage({ l1RestUrl: l1.restUrl, vipAddress: "0x1" });
  await expect(reading).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  const unnamed = readVipStage({ l1RestUrl: l1.restUrl });
  await expect(unnamed).rejects.toMatchObject({ code: "CONFIG_INVALID" });
});

test("the chain reports its version", async () => {
  const { data, version, lastBlockHeight } = await readNodeVersion({ rpcUrl: l1.rpcUrl });
  expect(data).toBe("vipnode-move");
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(lastBlockHeight).toBeGreaterThan(0n);
});
