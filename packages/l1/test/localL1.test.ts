import { expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import {
  bridgesOf,
  checkStageToFinalize,
  checkStageToWrite,
  readNodeVersion,
  readVipBridges,
  readVipSnapshot,
  readVipStage,
  readVipStageTimes,
  type VipSnapshot,
  type VipStage,
} from "../src/index.ts";
import { bridgeEntry, bridgeKey, moduleStore, snapshotEntry, stageEntry } from "./l1Server.ts";
import { address, decimal, startL1 } from "./startL1.ts";

const l1 = started(() => startL1());

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
  expect(data["stage_data"]).toEqual({ handle: expect.stringMatching(/^0x[0-9a-f]+$/) as unknown, length: "1" });
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
  await expect(l1.call("set_stage", 7n, 2n, 1n)).rejects.toThrow(/code=65636/);
  await expect(l1.call("initialize", 1n, address(operator), "")).rejects.toThrow(/code=327681/);
  expect((await read()).stage).toBe(before.stage);
});

const operator = "0x8cad25ec80a10522c258e2f59abf0006c9445d1b";
const bridgeAddress = `0x${"b".repeat(64)}`;
const evmContract = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const wasmContract = "init14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sf4gvfl";

async function register(bridgeId: bigint, contract: string, vmType: bigint): Promise<void> {
  const rates = [decimal("0.5"), decimal("0.1"), decimal("0.05")];
  await l1.govern("register", address(operator), bridgeId, address(bridgeAddress), contract, ...rates, vmType);
}

const vip = (): { l1RestUrl: string; vipAddress: string } => ({ l1RestUrl: l1.restUrl, vipAddress: l1.vipAddress });
const readSnapshot = (bridgeId: bigint, stageNumber: bigint): Promise<VipSnapshot | undefined> =>
  readVipSnapshot({ ...vip(), bridgeId, version: 1n, stage: stageNumber });

/** The kinds of the fields that an answer's JSON text has. */
const kindsOf = (fields: object): unknown =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value]));

test("bridges: as they were registered, sorted by ID", async () => {
  await l1.call("set_stage", 5n, 0n, 0n);
  expect((await readVipBridges(vip())).bridges).toEqual([]);
  await register(300n, wasmContract, 1n);
  await register(7n, evmContract.toLowerCase(), 2n);
  const { bridges, chainId, height, vip: found } = await readVipBridges(vip());
  expect({ chainId, found }).toEqual({ chainId: l1.chainId, found: { address: l1.vipAddress, isConfirmed: true } });
  expect(height).toBeGreaterThan(0n);
  const both = {
    version: 1n,
    initStage: 6n,
    endStage: undefined,
    operatorAddress: operator,
    bridgeAddress,
    weight: 0n,
  };
  expect(bridges).toEqual([
    { ...both, bridgeId: 7n, scoreContract: evmContract.toLowerCase(), vm: "evm" },
    { ...both, bridgeId: 300n, scoreContract: wasmContract, vm: "wasm" },
  ]);
  expect(bridgesOf(bridges, { vm: "evm", address: evmContract })).toEqual([bridges[0]]);
  expect(bridgesOf(bridges, { vm: "move", address: evmContract })).toEqual([]);
  expect(bridgesOf(bridges, { vm: "wasm", address: wasmContract })).toEqual([bridges[1]]);
});

test("the tables have the fields that the scripted server imitates", async () => {
  await l1.call("set_stage", 7n, 0n, 0n);
  await l1.call("submit_snapshot", 7n, 1n, 6n, new Uint8Array(32).fill(1), 10n);
  const tag = `${l1.vipAddress}::vip::ModuleStore`;
  const path = `/initia/move/v1/accounts/${l1.vipAddress}/resources/by_struct_tag?struct_tag=${tag}`;
  const store = (await (await fetch(`${l1.restUrl}${path}`)).json()) as { resource: { move_resource: string } };
  const { data } = JSON.parse(store.resource.move_resource) as {
    data: { stage_data: { handle: string }; bridges: { handle: string } };
  };
  const valueOf = async (handle: string, key: string): Promise<object> => {
    const entry = `entries/by_key_bytes?key_bytes=${encodeURIComponent(Buffer.from(key, "hex").toString("base64"))}`;
    const answer = await fetch(`${l1.restUrl}/initia/move/v1/tables/${handle}/${entry}`);
    const { table_entry } = (await answer.json()) as { table_entry: { value: string } };
    return JSON.parse(table_entry.value) as object;
  };
  // Numbers are vectors of 8 bytes.
  const keyOf = (...numbers: readonly number[]): string =>
    Buffer.from(numbers.flatMap((number) => [8, 0, 0, 0, 0, 0, 0, 0, number])).toString("hex");
  expect(kindsOf(await valueOf(data.bridges.handle, bridgeKey(true, 7n, 1n)))).toEqual(kindsOf(bridgeEntry));
  const stageData = (await valueOf(data.stage_data.handle, keyOf(6))) as { snapshots: { handle: string } };
  expect(kindsOf(stageData)).toEqual(kindsOf(stageEntry));
  expect(kindsOf(await valueOf(stageData.snapshots.handle, keyOf(7, 1)))).toEqual(kindsOf(snapshotEntry));
});

test("the times of the current stage and of one that ended", async () => {
  await l1.call("set_stage", 20n, 1_000n, 2_000n);
  const timesOf = (stageNumber: bigint) => readVipStageTimes({ ...vip(), stage: stageNumber });
  const ended = { startsAt: new Date(1_000_000), endsAt: new Date(2_000_000) };
  expect(await timesOf(20n)).toEqual(ended);
  await l1.call("advance_stage");
  expect(await timesOf(20n)).toEqual(ended);
  expect((await timesOf(21n))?.startsAt).toEqual(ended.endsAt);
  // A stage that is yet to come, and one that `set_stage` jumped over.
  expect([await timesOf(22n), await timesOf(18n)]).toEqual([undefined, undefined]);
});

test("a snapshot: nothing before it is submitted, then what the agent submitted, then what a challenge replaced it with", async () => {
  await l1.call("set_stage", 8n, 0n, 0n);
  expect(await readSnapshot(7n, 7n)).toBeUndefined();
  const total = 2n ** 64n - 1n;
  await l1.call("submit_snapshot", 7n, 1n, 7n, new Uint8Array(32).fill(0xab), total);
  const first = await readSnapshot(7n, 7n);
  expect(first).toMatchObject({ root: "ab".repeat(32), total, chainId: l1.chainId });
  expect(first?.updatedAt).toEqual(first?.createdAt);
  const others = await Promise.all([readSnapshot(300n, 7n), readSnapshot(7n, 8n), readSnapshot(8n, 7n)]);
  expect(others).toEqual([undefined, undefined, undefined]);
  const texts = ["Challenge", "Summary", "https://agent.example"];
  await l1.govern("execute_challenge", 7n, 7n, 1n, ...texts, address(operator), new Uint8Array(), 1n);
  expect(await readSnapshot(7n, 7n)).toMatchObject({ root: "", total: 1n, createdAt: first?.createdAt });
});

test("another address has no module", async () => {
  const reading = readVipStage({ l1RestUrl: l1.restUrl, vipAddress: "0x1" });
  await expect(reading).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  const bridges = readVipBridges({ l1RestUrl: l1.restUrl, vipAddress: "0x1" });
  await expect(bridges).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  const unnamed = readVipStage({ l1RestUrl: l1.restUrl });
  await expect(unnamed).rejects.toMatchObject({ code: "CONFIG_INVALID" });
});

test("the chain reports its version", async () => {
  const { data, version, lastBlockHeight } = await readNodeVersion({ rpcUrl: l1.rpcUrl });
  expect(data).toBe("vipnode-move");
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(lastBlockHeight).toBeGreaterThan(0n);
});
