import { featuresOf, finalizeStage, ScoreTable, stage, u64Max } from "@vipscore/core";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeAddress } from "../src/bcs.ts";
import { executeMessage } from "../src/encodeCall.ts";
import { connectMove, deployMove, moveAccount, type DeployMoveEvent, type MoveAccount } from "../src/index.ts";
import { startVipnode, type CosmosNode } from "@vipscore/localnet";
import {
  accountOf,
  byAccount,
  codeOf,
  deployShape,
  execute,
  freshAccount,
  longAccountOf,
  operator,
  publish,
  readRows,
  rowsOf,
  write,
  writeRows,
} from "./testContract.ts";

const initStage = stage(4n);

let chain: CosmosNode;
beforeAll(async () => {
  chain = await startVipnode({ vm: "move" });
});
afterAll(() => chain.stop());

interface Wish extends Partial<Parameters<typeof deployMove>[0]> {
  readonly account: MoveAccount;
}

async function deploy(wish: Wish) {
  const events: DeployMoveEvent[] = [];
  const onEvent = (event: DeployMoveEvent) => events.push(event);
  const deployed = await deployMove({ restUrl: chain.restUrl, initStage, onEvent, ...wish });
  return { deployed, events, steps: events.map(({ step, status }) => `${step} ${status}`) };
}

test("a module with its first stage, its publisher as owner and only member", async () => {
  const account = await freshAccount(chain);
  const { deployed, events, steps } = await deploy({ account, expectedChainId: chain.chainId });
  expect(deployed).toMatchObject({
    address: account.account,
    chainId: chain.chainId,
    version: "2.0.0",
    upgradePolicy: "compatible",
    initStage: 4n,
    members: [account.account],
    owner: account.account,
    pendingOwner: undefined,
  });
  expect(steps).toEqual([
    "publish sending",
    "publish done",
    "addMember sending",
    "addMember done",
    "setInitStage sending",
    "setInitStage done",
  ]);
  const { hash, gasUsed } = deployed.transaction!;
  expect(events[1]).toEqual({
    step: "publish",
    status: "done",
    address: account.account,
    hash,
    gasUsed,
    upgradePolicy: "compatible",
  });
  const contract = await connectMove({ restUrl: chain.restUrl, address: deployed.address, account });
  expect(contract.features).toEqual(featuresOf(deployed.version));
  await writeRows(contract, rowsOf(2), initStage);
  expect([...(await readRows(contract, initStage))].sort(byAccount)).toEqual([...rowsOf(2)].sort(byAccount));
});

test("a second run changes nothing, a third does only what is missing", async () => {
  const account = await freshAccount(chain);
  await deploy({ account });
  const again = await deploy({ account });
  expect(again.steps).toEqual(["publish unchanged", "addMember unchanged", "setInitStage unchanged"]);
  expect(again.deployed).toMatchObject({ transaction: undefined, initStage: 4n });
  const members = [longAccountOf(1), account.account, operator.account, longAccountOf(1)];
  const more = await deploy({ account, members, owner: operator.account });
  expect(more.steps).toEqual([
    "publish unchanged",
    "addMember unchanged",
    "setInitStage unchanged",
    "addMember sending",
    "addMember done",
    "addMember sending",
    "addMember done",
    "offerOwnership sending",
    "offerOwnership done",
  ]);
  expect(new Set(more.deployed.members)).toEqual(new Set(members));
  expect(more.deployed).toMatchObject({ owner: account.account, pendingOwner: operator.account });
  expect((await deploy({ account, members, owner: operator.account })).steps).toEqual(
    Array.from(
      ["publish", "addMember", "setInitStage", "addMember", "addMember", "offerOwnership"],
      (step) => `${step} unchanged`,
    ),
  );
});

test("a deployment that was interrupted is completed", async () => {
  const account = await freshAccount(chain);
  const caller = new AbortController();
  const reason = new Error("enough");
  const onEvent = ({ step, status }: DeployMoveEvent) => {
    if (step === "addMember" && status === "done") caller.abort(reason);
  };
  await expect(deploy({ account, onEvent, signal: caller.signal })).rejects.toBe(reason);
  const { steps } = await deploy({ account });
  expect(steps).toEqual(["publish unchanged", "addMember unchanged", "setInitStage sending", "setInitStage done"]);
});

test("the owner that accepts manages members, and the publisher still does", async () => {
  const account = await freshAccount(chain);
  const owner = await freshAccount(chain);
  const { deployed } = await deploy({ account, owner: owner.account });
  const { restUrl } = chain;
  const asOwner = await connectMove({ restUrl, address: deployed.address, account: owner });
  expect(await asOwner.isManager(owner.account)).toBe(false);
  await execute(chain, owner, executeMessage(owner.address, deployed.address, "accept_ownership_script", []));
  expect(await asOwner.isManager(owner.account)).toBe(true);
  expect(await asOwner.isManager(account.account)).toBe(true);
  expect(await asOwner.isManager(accountOf(9))).toBe(false);
  expect(await write(asOwner, { kind: "addMember", account: accountOf(9) })).toMatchObject({ succeeded: true });
  expect(await asOwner.isMember(accountOf(9))).toBe(true);
  expect(await write(asOwner, { kind: "removeMember", account: accountOf(9) })).toMatchObject({ succeeded: true });
  expect(await asOwner.isMember(accountOf(9))).toBe(false);
});

test("the last stage of u64 can be the first", async () => {
  const { deployed } = await deploy({ account: await freshAccount(chain), initStage: stage(u64Max) });
  expect(deployed.initStage).toBe(u64Max);
});

test("another first stage than the contract has is refused", async () => {
  const account = await freshAccount(chain);
  await deploy({ account });
  await expect(deploy({ account, initStage: stage(5n) })).rejects.toMatchObject({ code: "INIT_STAGE_SET" });
});

test("nothing is sent to another chain than expected", async () => {
  const account = await freshAccount(chain);
  await expect(deploy({ account, expectedChainId: "other-1" })).rejects.toMatchObject({ code: "CHAIN_MISMATCH" });
  await expect(connectMove({ restUrl: chain.restUrl, address: account.address })).rejects.toMatchObject({
    code: "CONTRACT_NOT_FOUND",
  });
});

test("an account without funds is told so", async () => {
  const account = moveAccount({ privateKey: createHash("sha256").update("poor").digest("hex") });
  await expect(deploy({ account })).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
});

test("the steps fit their gas, and the limit of the publish is a bound and not a guess", async () => {
  const account = await freshAccount(chain);
  const { events } = await deploy({ account });
  const { gasUsed } = events.find(({ step, status }) => step === "publish" && status === "done") ?? {};
  // As src/publishStep.ts bounds it.
  expect(120_000 + 75 * codeOf("ours", account.account).length).toBeLessThan(1.35 * Number(gasUsed));
});

describe("upgrade policies", () => {
  test("an immutable module stays as it is", async () => {
    const account = await freshAccount(chain);
    const { deployed } = await deploy({ account, upgradePolicy: "immutable" });
    expect(deployed.upgradePolicy).toBe("immutable");
    const again = await deploy({ account, upgradePolicy: "compatible" });
    expect(again.steps[0]).toBe("publish unchanged");
    expect(again.deployed.upgradePolicy).toBe("immutable");
  });

  test("a compatible module can be sealed", async () => {
    const account = await freshAccount(chain);
    await deploy({ account });
    const { deployed, steps } = await deploy({ account, upgradePolicy: "immutable" });
    expect(steps.slice(0, 2)).toEqual(["seal sending", "seal done"]);
    expect(deployed.upgradePolicy).toBe("immutable");
  });

  test("a module of the reference's shape is replaced when asked for, and keeps all that it holds", async () => {
    const account = await freshAccount(chain);
    const reference = await deployShape(chain, "reference", account);
    const rows = rowsOf(10_000);
    await writeRows(reference, rows, stage(1n));
    await write(reference, { kind: "finalizeStage", stage: stage(1n) });
    await writeRows(reference, rowsOf(3), stage(2n));
    await write(reference, { kind: "addMember", account: longAccountOf(1) });

    await expect(deploy({ account, initStage: stage(1n) })).rejects.toMatchObject({ code: "CONFIRMATION_MISSING" });
    const { deployed, steps } = await deploy({ account, initStage: stage(1n), upgrade: true });
    expect(steps).toEqual([
      "upgrade sending",
      "upgrade done",
      "createSettings sending",
      "createSettings done",
      "addMember unchanged",
      "setInitStage unchanged",
    ]);
    expect(new Set(deployed.members)).toEqual(new Set([account.account, longAccountOf(1)]));

    const ours = await connectMove({ restUrl: chain.restUrl, address: deployed.address, account });
    expect(ours.features.checkedFinalize).toBe(true);
    const total = rows.reduce((sum, { score }) => sum + score, 0n);
    expect(await ours.getStage(stage(1n))).toEqual({
      stage: 1n,
      total,
      isFinalized: true,
      count: 10_000n,
      revision: 0n,
    });
    expect([...(await readRows(ours, stage(1n)))].sort(byAccount)).toEqual([...rows].sort(byAccount));
    expect(await ours.getStage(stage(2n))).toMatchObject({ total: 3003n, isFinalized: false, count: 3n });
    const expected = { total: 3003n, count: 3n, revision: 0n };
    expect(await write(ours, { kind: "finalizeStage", stage: stage(2n), expected })).toMatchObject({ succeeded: true });
  });

  test("an upgraded module works without its settings, which a deployment creates", async () => {
    const account = await freshAccount(chain);
    const { restUrl } = chain;
    const reference = await deployShape(chain, "reference", account);
    await writeRows(reference, rowsOf(3), stage(1n));
    // As somebody who upgrades by other means.
    await publish(chain, account, codeOf("ours", account.account));
    const connect = () => connectMove({ restUrl, address: account.account, account });
    const bare = await connect();
    expect(bare.features).toEqual({ ...featuresOf("2.0.0"), revisions: false, finalizer: false });
    expect(await bare.getControl()).toMatchObject({ owner: account.account, finalizer: undefined, othersManage: true });
    expect(await bare.getStage(stage(1n))).toMatchObject({ count: 3n, revision: undefined });
    const finalizer = { kind: "setFinalizer", account: operator.account } as const;
    expect(await write(bare, finalizer)).toMatchObject({ succeeded: false, code: "NOT_SUPPORTED" });
    const { verification } = await finalizeStage(bare, stage(1n), { expect: ScoreTable.from(rowsOf(3)) });
    expect(verification).toMatchObject({ isFinalized: true, revision: undefined });

    const { steps, deployed } = await deploy({ account, initStage: stage(1n), finalizer: operator.account });
    expect(steps).toContain("createSettings done");
    expect(deployed.finalizer).toBe(operator.account);
    const settled = await connect();
    expect(settled.features).toEqual(featuresOf("2.0.0"));
    expect(await settled.getStage(stage(2n))).toMatchObject({ revision: 0n });
    expect(await settled.getControl()).toMatchObject({ finalizer: operator.account, codeAdmin: account.account });
  });

  test("a module of the same name that is no scoring module is left alone", async () => {
    const account = await freshAccount(chain);
    // Ours with one published function renamed: a module of its own.
    const code = codeOf("ours", account.account);
    const name = Buffer.from("finalize_script");
    const at = code.indexOf(name);
    Buffer.from("finalize_secret").copy(code, at);
    await publish(chain, account, code);
    await expect(deploy({ account, upgrade: true })).rejects.toMatchObject({ code: "CONTRACT_NOT_FOUND" });
  });
});

test("what is published is what the package's artifact says, with the publisher in place of the placeholder", async () => {
  const account = await freshAccount(chain);
  await deploy({ account });
  const path = `/initia/move/v1/accounts/${account.account}/modules/vip_score`;
  const answer = (await (await fetch(chain.restUrl + path)).json()) as { module: { raw_bytes: string } };
  const published = Buffer.from(answer.module.raw_bytes, "base64");
  expect(published.equals(codeOf("ours", account.account))).toBe(true);
  expect(published.includes(encodeAddress(account.account))).toBe(true);
});
