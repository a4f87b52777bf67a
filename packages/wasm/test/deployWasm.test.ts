import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { stage, type DeployEvent } from "@vipscore/core";
import { noFeatures } from "@vipscore/core/engine";
import { openJsonRpc } from "@vipscore/core/wire";
import { startVipnode } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testDeploy, testDeployAgain } from "@vipscore/testkit/adapter/deploy";
import { accountOf, longAccountOf } from "@vipscore/testkit/adapter/rows";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { executeMessage } from "../src/encodeCall.ts";
import { deployWasm, type WasmAccount } from "../src/index.ts";
import { findStoredCode, planStore } from "../src/storedCode.ts";
import { readWasmArtifact, vipScoreFile } from "../src/wasmArtifact.ts";
import { execute, freshAccount, operator } from "./testContract.ts";
import { startWasm } from "./wasmChain.ts";

const initStage = stage(4n);

const chain = useChain(() => startWasm());

interface DeployRequest extends Partial<Parameters<typeof deployWasm>[0]> {
  readonly account: WasmAccount;
}

async function deploy(request: DeployRequest) {
  const events: DeployEvent[] = [];
  const onEvent = (event: DeployEvent) => events.push(event);
  const deployed = await deployWasm({ rpcUrl: chain().url, initStage, onEvent, ...request });
  return { deployed, events, steps: events.map(({ step, status }) => `${step} ${status}`) };
}

testDeploy(chain);
testDeployAgain(chain);

test("the code is stored once, and each step is reported", async () => {
  await using fresh = await startVipnode({ vm: "wasm" });
  const account = await freshAccount(fresh);
  const { deployed, events, steps } = await deploy({ account, rpcUrl: fresh.rpcUrl });
  expect(steps).toEqual(["store sending", "store done", "instantiate sending", "instantiate done"]);
  expect(deployed).toMatchObject({
    codeId: 1n,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    label: "vip_score",
    admin: account.account,
  });
  const { hash, gasUsed } = deployed.transaction!;
  const { address } = deployed;
  expect(events.at(-1)).toEqual({ step: "instantiate", status: "done", address, codeId: 1n, hash, gasUsed });

  // The limit is a tight bound.
  const used = Number(events.find(({ step, status }) => step === "store" && status === "done")?.gasUsed);
  const limit = Number(planStore(account.address, await readWasmArtifact(vipScoreFile)).gas);
  console.log(`store: ${used} gas of ${limit}; instantiate: ${gasUsed} gas`);
  expect(limit / used).toBeGreaterThan(1.05);
  expect(limit / used).toBeLessThan(1.35);

  const other = await deploy({ account: await freshAccount(fresh, 118), rpcUrl: fresh.rpcUrl });
  expect(other.steps).toEqual(["store unchanged", "instantiate sending", "instantiate done"]);
  expect(other.events[0]).toMatchObject({ codeId: 1n });
  expect(other.deployed.address).not.toBe(address);
});

test("another label gives another contract, with its members from the instantiation", async () => {
  const account = await freshAccount(chain().node);
  const first = await deploy({ account });
  const again = await deploy({ account });
  expect(again.steps).toEqual(["store unchanged", "instantiate unchanged", "addMember unchanged"]);
  const members = [longAccountOf(1), account.account, operator.account, longAccountOf(1)];
  const label = "the second score";
  const second = await deploy({ account, label, members });
  expect(second.deployed).toMatchObject({ label });
  expect(second.deployed.address).not.toBe(first.deployed.address);
  expect(second.steps).toEqual(["store unchanged", "instantiate sending", "instantiate done"]);
  expect(new Set(second.deployed.members)).toEqual(new Set(members));
});

test("the finalizer is named by the instantiation, and a later one before the members", async () => {
  const account = await freshAccount(chain().node);
  const [finalizer, later] = [longAccountOf(3), longAccountOf(4)];
  const { deployed, steps } = await deploy({ account, finalizer, label: "with a finalizer" });
  expect(deployed.finalizer).toBe(finalizer);
  expect(steps.slice(-2)).toEqual(["instantiate sending", "instantiate done"]);
  const again = await deploy({ account, finalizer: later, members: [accountOf(1)], label: "with a finalizer" });
  expect(again.deployed.finalizer).toBe(later);
  expect(again.steps.slice(-5)).toEqual([
    "setFinalizer sending",
    "setFinalizer done",
    "addMember unchanged",
    "addMember sending",
    "addMember done",
  ]);
});

test("an owner without an admin is refused: the deployer could still replace the code", async () => {
  const account = await freshAccount(chain().node);
  const refused = deploy({ account, owner: operator.account });
  await expect(refused).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringContaining("admin") as string,
  });
  const { deployed } = await deploy({
    account,
    owner: operator.account,
    admin: operator.account,
    finalizer: account.account,
  });
  expect(deployed).toMatchObject({
    admin: operator.account,
    finalizer: account.account,
    pendingOwner: operator.account,
  });
});

test("an instantiation with more members than a page stays within its gas limit", async () => {
  const account = await freshAccount(chain().node);
  const members = Array.from({ length: 1100 }, (_, index) =>
    index % 3 === 0 ? longAccountOf(index) : accountOf(index),
  );
  const { deployed, events } = await deploy({ account, members, label: "many" });
  expect(new Set(deployed.members)).toEqual(new Set([account.account, ...members]));
  const { gasUsed } = events.at(-1)!;
  console.log(`instantiate with 1,101 members: ${gasUsed} gas`);
  // The bound of src/deployWasm.ts.
  const limit = 300_000 + 9_500 * 1101;
  expect(limit / Number(gasUsed)).toBeLessThan(1.6);
});

test("the admin is the given account, or nobody", async () => {
  const account = await freshAccount(chain().node);
  const named = await deploy({ account, label: "named", admin: operator.account });
  expect(named.deployed.admin).toBe(operator.account);
  const none = await deploy({ account, label: "none", admin: "none" });
  expect(none.deployed.admin).toBeUndefined();
});

test.each(["", " x", "x".repeat(129)])("the label %j is refused before any request", async (label) => {
  const account = operator;
  const deploying = deployWasm({ rpcUrl: "http://127.0.0.1:1", account, initStage, label });
  await expect(deploying).rejects.toMatchObject({ code: "INPUT_INVALID" });
});

test("a step that fails in its block is named, with the chain's code and text", async () => {
  const account = await freshAccount(chain().node);
  const owner = await freshAccount(chain().node);
  const { deployed } = await deploy({ account, owner: owner.account, admin: account.account });
  const { address } = deployed;
  await execute(
    chain().node,
    owner,
    executeMessage({ signer: owner.account, contract: address }, { accept_ownership: {} }),
  );
  // Only the new owner may offer ownership.
  await expect(deploy({ account, owner: operator.account, admin: account.account })).rejects.toMatchObject({
    name: "ExecutionError",
    code: "PERMISSION_DENIED",
    details: expect.stringMatching(/^wasm code 5: .*NotOwner/) as string,
    txHash: expect.stringMatching(/^[0-9A-F]{64}$/) as string,
  });
});

describe("the code", () => {
  test("is found among many, and another code is not mistaken for it", async () => {
    const comet = openJsonRpc(chain().url);
    const code = await readWasmArtifact(vipScoreFile);
    expect(await findStoredCode(comet, code, operator.address, {})).toBe(1n);
    const other = { ...code, checksum: createHash("sha256").update("another").digest() };
    expect(await findStoredCode(comet, other, operator.address, {})).toBeUndefined();
  });
});

test("a contract with only the published interface is deployed from its file", async () => {
  const path = "../../../contracts/wasm/reference_shape/artifacts/reference_shape.wasm";
  const artifact = fileURLToPath(new URL(path, import.meta.url));
  const account = await freshAccount(chain().node);
  const named = deploy({ account, artifact, finalizer: accountOf(1) });
  await expect(named).rejects.toMatchObject({ code: "INPUT_INVALID" });
  const { deployed } = await deploy({ account, artifact, members: [accountOf(1)] });
  expect(deployed).toMatchObject({ features: noFeatures, version: undefined, owner: undefined, initStage });
  expect(deployed.members).toHaveLength(2);
  const { steps } = await deploy({ account, artifact, members: [accountOf(1), accountOf(2)] });
  expect(steps.filter((step) => step.endsWith("done"))).toEqual(["addMember done"]);
});

test("code with a feature that the chain refuses is refused before anything is sent", async () => {
  const code = await readFile(vipScoreFile);
  // A section of tags, which WebAssembly 1.0 does not have, belongs before that of globals.
  let at = 8;
  while (code[at] !== 6) {
    let size = 0;
    for (let shift = 0, byte = 128; byte >= 128; shift += 7) size += ((byte = code[(at += 1)]!) & 127) << shift;
    at += 1 + size;
  }
  const artifact = join(temporaryFolder(), "tags.wasm");
  await writeFile(artifact, [code.subarray(0, at), Buffer.from([13, 1, 0]), code.subarray(at)]);
  const account = await freshAccount(chain().node);
  const refused = { code: "INPUT_INVALID", message: expect.stringMatching(/wasm-opt\b/) as string };
  const events: DeployEvent[] = [];
  const onEvent = (event: DeployEvent) => events.push(event);
  await expect(deploy({ account, artifact, onEvent })).rejects.toMatchObject(refused);
  expect(events).toEqual([]);
});
