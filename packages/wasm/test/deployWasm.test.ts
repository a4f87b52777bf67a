import { featuresOf, stage, u64Max } from "@vipscore/core";
import { openJsonRpc } from "@vipscore/core/wire";
import { startVipnode, type CosmosNode } from "@vipscore/localnet";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executeMessage } from "../src/encodeCall.ts";
import { connectWasm, deployWasm, wasmAccount, type DeployWasmEvent, type WasmAccount } from "../src/index.ts";
import { findStoredCode, planStore, readContractCode } from "../src/storedCode.ts";
import {
  accountOf,
  byAccount,
  freshAccount,
  longAccountOf,
  operator,
  readRows,
  rowsOf,
  write,
  writeRows,
} from "./testContract.ts";
import { execute } from "./testContract.ts";

const initStage = stage(4n);

let chain: CosmosNode;
beforeAll(async () => {
  chain = await startVipnode({ vm: "wasm" });
});
afterAll(() => chain.stop());

interface Wish extends Partial<Parameters<typeof deployWasm>[0]> {
  readonly account: WasmAccount;
}

async function deploy(wish: Wish) {
  const events: DeployWasmEvent[] = [];
  const onEvent = (event: DeployWasmEvent) => events.push(event);
  const deployed = await deployWasm({ rpcUrl: chain.rpcUrl, initStage, onEvent, ...wish });
  return { deployed, events, steps: events.map(({ step, status }) => `${step} ${status}`) };
}

test("stores, instantiates, and says what the chain holds; the next deployment takes the stored code", async () => {
  const account = await freshAccount(chain);
  const { deployed, events, steps } = await deploy({ account, expectedChainId: chain.chainId });
  expect(steps).toEqual(["store sending", "store done", "instantiate sending", "instantiate done"]);
  expect(deployed).toMatchObject({
    address: expect.stringMatching(/^init1[a-z0-9]{58}$/) as string,
    chainId: chain.chainId,
    codeId: 1n,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    label: "vip_score",
    admin: account.account,
    initStage: 4n,
    members: [account.account],
    owner: account.account,
    pendingOwner: undefined,
  });
  const { hash, gasUsed } = deployed.transaction!;
  const { address } = deployed;
  expect(events.at(-1)).toEqual({ step: "instantiate", status: "done", address, codeId: 1n, hash, gasUsed });
  const contract = await connectWasm({ rpcUrl: chain.rpcUrl, address, account });
  expect(contract.features).toEqual(featuresOf(deployed.version));
  await writeRows(contract, rowsOf(2), initStage);
  expect([...(await readRows(contract, initStage))].sort(byAccount)).toEqual([...rowsOf(2)].sort(byAccount));

  const other = await deploy({ account: await freshAccount(chain, 118) });
  expect(other.steps).toEqual(["store unchanged", "instantiate sending", "instantiate done"]);
  expect(other.events[0]).toMatchObject({ codeId: 1n });
  expect(other.deployed.address).not.toBe(address);
});

test("a second run changes nothing, a third does only what is missing; another label is another contract", async () => {
  const account = await freshAccount(chain);
  const first = await deploy({ account });
  const again = await deploy({ account });
  expect(again.steps).toEqual(["store unchanged", "instantiate unchanged", "addMember unchanged"]);
  expect(again.deployed).toEqual({ ...first.deployed, transaction: undefined });
  const members = [longAccountOf(1), account.account, operator.account, longAccountOf(1)];
  const more = await deploy({ account, members, owner: operator.account, admin: account.account });
  expect(more.steps).toEqual([
    "store unchanged",
    "instantiate unchanged",
    "addMember unchanged",
    "addMember sending",
    "addMember done",
    "addMember sending",
    "addMember done",
    "offerOwnership sending",
    "offerOwnership done",
  ]);
  expect(more.deployed.address).toBe(first.deployed.address);
  expect(new Set(more.deployed.members)).toEqual(new Set(members));
  expect(more.deployed).toMatchObject({ owner: account.account, pendingOwner: operator.account });
  const last = await deploy({ account, members, owner: operator.account, admin: account.account });
  expect(last.steps.every((step) => step.endsWith("unchanged"))).toBe(true);

  const second = await deploy({ account, label: "the second score", members });
  expect(second.deployed).toMatchObject({ label: "the second score" });
  expect(second.deployed.address).not.toBe(first.deployed.address);
  // All members come with the instantiation.
  expect(second.steps).toEqual(["store unchanged", "instantiate sending", "instantiate done"]);
  expect(new Set(second.deployed.members)).toEqual(new Set(members));
});

test("a deployment that was interrupted is completed", async () => {
  const account = await freshAccount(chain);
  const caller = new AbortController();
  const reason = new Error("enough");
  const onEvent = ({ step, status }: DeployWasmEvent) => {
    if (step === "instantiate" && status === "done") caller.abort(reason);
  };
  const wish = { account, owner: operator.account, admin: account.account, label: "interrupted" };
  await expect(deploy({ ...wish, onEvent, signal: caller.signal })).rejects.toBe(reason);
  const { steps } = await deploy(wish);
  expect(steps).toEqual([
    "store unchanged",
    "instantiate unchanged",
    "addMember unchanged",
    "offerOwnership sending",
    "offerOwnership done",
  ]);
});

test("an owner without an admin is refused: the deployer could go on replacing the code", async () => {
  const account = await freshAccount(chain);
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

test("the owner that accepts manages members", async () => {
  const account = await freshAccount(chain);
  const owner = await freshAccount(chain);
  const { deployed } = await deploy({ account, owner: owner.account, admin: account.account });
  const { address } = deployed;
  const asOwner = await connectWasm({ rpcUrl: chain.rpcUrl, address, account: owner });
  expect(await asOwner.isManager(owner.account)).toBe(false);
  await execute(chain, owner, executeMessage({ sender: owner.address, contract: address }, { accept_ownership: {} }));
  expect(await asOwner.isManager(owner.account)).toBe(true);
  // The first member still does, until the owner ends that.
  expect(await asOwner.isManager(account.account)).toBe(true);
  expect(await write(asOwner, { kind: "addMember", account: accountOf(9) })).toMatchObject({ succeeded: true });
  expect(await asOwner.isMember(accountOf(9))).toBe(true);
  const settle = { set_members_can_manage: { allowed: false } };
  await execute(chain, owner, executeMessage({ sender: owner.address, contract: address }, settle));
  expect(await asOwner.isManager(account.account)).toBe(false);
  const asMember = await connectWasm({ rpcUrl: chain.rpcUrl, address, account });
  const denied = await write(asMember, { kind: "addMember", account: accountOf(10) });
  expect(denied).toMatchObject({ succeeded: false, code: "PERMISSION_DENIED" });
});

test("more members than a page has, all in the instantiation, which fits its gas", async () => {
  const account = await freshAccount(chain);
  const members = Array.from({ length: 1100 }, (_, index) =>
    index % 3 === 0 ? longAccountOf(index) : accountOf(index),
  );
  const { deployed, events } = await deploy({ account, members, label: "many" });
  expect(new Set(deployed.members)).toEqual(new Set([account.account, ...members]));
  const { gasUsed } = events.at(-1)!;
  console.log(`instantiate with 1,101 members: ${gasUsed} gas`);
  // As src/deployWasm.ts bounds it.
  const limit = 300_000 + 12_000 * 1101;
  expect(limit / Number(gasUsed)).toBeLessThan(1.6);
});

test("the admin is who is asked for, or nobody", async () => {
  const account = await freshAccount(chain);
  const named = await deploy({ account, label: "named", admin: operator.account });
  expect(named.deployed.admin).toBe(operator.account);
  const none = await deploy({ account, label: "none", admin: "none" });
  expect(none.deployed.admin).toBeUndefined();
});

test.each([2n ** 53n + 1n, u64Max])("stage %i can be the first", async (first) => {
  const { deployed } = await deploy({ account: await freshAccount(chain), initStage: stage(first) });
  expect(deployed.initStage).toBe(first);
});

test("another first stage than the contract has is refused", async () => {
  const account = await freshAccount(chain);
  await deploy({ account });
  await expect(deploy({ account, initStage: stage(5n) })).rejects.toMatchObject({ code: "INIT_STAGE_SET" });
});

test("nothing is sent to another chain than expected", async () => {
  const account = await freshAccount(chain);
  await expect(deploy({ account, expectedChainId: "other-1" })).rejects.toMatchObject({ code: "CHAIN_MISMATCH" });
  const { events } = await deploy({ account });
  expect(events.find(({ step }) => step === "instantiate")).toMatchObject({ status: "sending" });
});

test.each(["", " x", "x".repeat(129)])("the label %j is refused before anything is asked", async (label) => {
  const account = operator;
  const deploying = deployWasm({ rpcUrl: "http://127.0.0.1:1", account, initStage, label });
  await expect(deploying).rejects.toMatchObject({ code: "INPUT_INVALID" });
});

test("an account without funds is told so", async () => {
  const account = wasmAccount({ privateKey: createHash("sha256").update("poor").digest("hex") });
  await expect(deploy({ account })).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
});

test("a step that fails in its block says which, with the chain's code and text", async () => {
  const account = await freshAccount(chain);
  const owner = await freshAccount(chain);
  const { deployed } = await deploy({ account, owner: owner.account, admin: account.account });
  const { address } = deployed;
  await execute(chain, owner, executeMessage({ sender: owner.address, contract: address }, { accept_ownership: {} }));
  // Only the new owner may offer it on.
  await expect(deploy({ account, owner: operator.account, admin: account.account })).rejects.toMatchObject({
    name: "ExecutionError",
    code: "PERMISSION_DENIED",
    details: expect.stringMatching(/^wasm code 5: .*NotOwner/) as string,
    txHash: expect.stringMatching(/^[0-9A-F]{64}$/) as string,
  });
});

describe("the code", () => {
  test("its steps fit their gas, and the limit is a bound and not a guess", async () => {
    const fresh = await startVipnode({ vm: "wasm" });
    try {
      const account = await freshAccount(fresh);
      const { events } = await deploy({ account, rpcUrl: fresh.rpcUrl });
      const used = (step: string) =>
        Number(events.find((each) => each.step === step && each.status === "done")?.gasUsed);
      const limit = Number(planStore(account.address, await readContractCode()).gas);
      console.log(`store: ${used("store")} gas of ${limit}; instantiate: ${used("instantiate")} gas`);
      expect(limit / used("store")).toBeGreaterThan(1.05);
      expect(limit / used("store")).toBeLessThan(1.35);
    } finally {
      await fresh.stop();
    }
  });

  test("is found among many, and another code is not taken for it", async () => {
    const comet = openJsonRpc(chain.rpcUrl);
    const code = await readContractCode();
    expect(await findStoredCode(comet, code, operator.address, {})).toBe(1n);
    const other = { ...code, checksum: createHash("sha256").update("another").digest() };
    expect(await findStoredCode(comet, other, operator.address, {})).toBeUndefined();
  });
});
