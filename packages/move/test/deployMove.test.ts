import { describe, expect, test } from "vitest";
import { stage, type DeployEvent } from "@vipscore/core";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testDeploy, testDeployAgain } from "@vipscore/testkit/adapter/deploy";
import { longAccountOf, readRows, rowsOf, sorted, write, writeRows } from "@vipscore/testkit/adapter/rows";
import { contractVersion } from "@vipscore/testkit/contractVersion";
import { encodeAddress } from "../src/bcs.ts";
import { connectMove, deployMove, type MoveAccount } from "../src/index.ts";
import { startMove } from "./moveChain.ts";
import { codeOf, deployShape, freshAccount, operator, publish } from "./testContract.ts";

const initStage = stage(4n);

const chain = useChain(() => startMove());

interface DeployRequest extends Partial<Parameters<typeof deployMove>[0]> {
  readonly account: MoveAccount;
}

async function deploy(request: DeployRequest) {
  const events: DeployEvent[] = [];
  const onEvent = (event: DeployEvent) => events.push(event);
  const deployed = await deployMove({ restUrl: chain().url, initStage, onEvent, ...request });
  return { deployed, events, steps: events.map(({ step, status }) => `${step} ${status}`) };
}

testDeploy(chain);
testDeployAgain(chain);

test("each step is reported", async () => {
  const account = await freshAccount(chain().node);
  const { deployed, events, steps } = await deploy({ account });
  expect(deployed).toMatchObject({ address: account.account, version: contractVersion, upgradePolicy: "compatible" });
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
  const again = await deploy({ account });
  expect(again.steps).toEqual(["publish unchanged", "addMember unchanged", "setInitStage unchanged"]);
});

test("a deployment that stops after any step has no member without the finalizer", async () => {
  const account = await freshAccount(chain().node);
  const wanted = { members: [longAccountOf(1)], finalizer: operator.account };
  const states = [];
  for (let isComplete = false; !isComplete;) {
    const caller = new AbortController();
    const onEvent = ({ status }: DeployEvent) => {
      if (status === "done") caller.abort();
    };
    isComplete = await deploy({ account, ...wanted, onEvent, signal: caller.signal }).then(
      () => true,
      () => false,
    );
    const contract = await connectMove({ restUrl: chain().url, address: account.account });
    const members = await contract.getMembers();
    states.push({ members: members?.length, finalizer: (await contract.getControl())?.finalizer });
  }
  const finalizer = operator.account;
  expect(states).toEqual([
    { members: 0, finalizer: undefined },
    { members: 0, finalizer },
    // Added, then the first stage set.
    { members: 1, finalizer },
    { members: 1, finalizer },
    { members: 2, finalizer },
    { members: 2, finalizer },
  ]);
});

test("the steps stay within their gas limits, and the limit for publishing is tight", async () => {
  const account = await freshAccount(chain().node);
  const { events } = await deploy({ account });
  const { gasUsed } = events.find(({ step, status }) => step === "publish" && status === "done") ?? {};
  // The bound of src/publishStep.ts.
  expect(120_000 + 75 * codeOf("ours", account.account).length).toBeLessThan(1.35 * Number(gasUsed));
});

describe("upgrade policies", () => {
  test("an owner without a policy is refused: the deployer could still replace the code", async () => {
    const account = await freshAccount(chain().node);
    const refused = deploy({ account, owner: operator.account });
    await expect(refused).rejects.toMatchObject({
      code: "INPUT_INVALID",
      metaMessages: expect.arrayContaining([expect.stringContaining("immutable")]) as string[],
    });
    const { deployed } = await deploy({ account, owner: operator.account, upgradePolicy: "immutable" });
    expect(deployed).toMatchObject({ pendingOwner: operator.account, upgradePolicy: "immutable" });
  });

  test("an immutable module is not changed", async () => {
    const account = await freshAccount(chain().node);
    const { deployed } = await deploy({ account, upgradePolicy: "immutable" });
    expect(deployed.upgradePolicy).toBe("immutable");
    const again = await deploy({ account, upgradePolicy: "compatible" });
    expect(again.steps[0]).toBe("publish unchanged");
    expect(again.deployed.upgradePolicy).toBe("immutable");
  });

  test("a compatible module can be sealed", async () => {
    const account = await freshAccount(chain().node);
    await deploy({ account });
    const { deployed, steps } = await deploy({ account, upgradePolicy: "immutable" });
    expect(steps.slice(0, 2)).toEqual(["seal sending", "seal done"]);
    expect(deployed.upgradePolicy).toBe("immutable");
  });

  test("an upgrade replaces a module of the reference's shape and keeps all of its data", async () => {
    const account = await freshAccount(chain().node);
    const reference = await deployShape(chain().node, "reference", account);
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
      "completeUpgrade sending",
      "completeUpgrade done",
      "addMember unchanged",
      "setInitStage unchanged",
    ]);
    expect(new Set(deployed.members)).toEqual(new Set([account.account, longAccountOf(1)]));

    const ours = await connectMove({ restUrl: chain().url, address: deployed.address, account });
    expect(ours.version).toBe(contractVersion);
    const total = rows.reduce((sum, { score }) => sum + score, 0n);
    expect(await ours.getStage(stage(1n))).toEqual({
      stage: 1n,
      total,
      isFinalized: true,
      count: 10_000n,
      revision: 0n,
    });
    expect(sorted(await readRows(ours, stage(1n)))).toEqual(sorted(rows));
    expect(await ours.getStage(stage(2n))).toMatchObject({ total: 3003n, isFinalized: false, count: 3n });
    const expected = { total: 3003n, count: 3n, revision: 0n };
    expect(await write(ours, { kind: "finalizeStage", stage: stage(2n), expected })).toMatchObject({ succeeded: true });
  });

  test("an upgrade that is not complete is reported, and completed by the next deployment", async () => {
    const account = await freshAccount(chain().node);
    const { url: restUrl } = chain();
    const reference = await deployShape(chain().node, "reference", account);
    await writeRows(reference, rowsOf(3), stage(1n));
    // As with another tool, or with a deployment that stops after its first step.
    await publish(chain().node, account, codeOf("ours", account.account));
    const connect = () => connectMove({ restUrl, address: account.account, account });
    const { address } = reference.identity;
    await expect(connect()).rejects.toMatchObject({
      code: "NOT_SUPPORTED",
      shortMessage: expect.stringContaining(address) as string,
      metaMessages: expect.arrayContaining([expect.stringContaining("complete_upgrade_script")]) as string[],
    });
    // The connection from before the upgrade still reads, but does not write.
    expect(await reference.getStage(stage(1n))).toMatchObject({ total: 3003n });
    const call = { kind: "updateScores", stage: stage(1n), rows: rowsOf(1) } as const;
    expect(await write(reference, call)).toMatchObject({ succeeded: false, code: "NOT_SUPPORTED" });

    const { steps } = await deploy({ account, initStage: stage(1n), finalizer: operator.account });
    expect(steps).toEqual([
      "publish unchanged",
      "completeUpgrade sending",
      "completeUpgrade done",
      "setFinalizer sending",
      "setFinalizer done",
      "addMember unchanged",
      "setInitStage unchanged",
    ]);
    const ours = await connect();
    expect(await ours.getStage(stage(1n))).toMatchObject({ total: 3003n, count: 3n, revision: 0n });
    expect(await ours.getControl()).toMatchObject({ finalizer: operator.account, codeAdmin: account.account });
  });

  test("another module of the same name is not changed", async () => {
    const account = await freshAccount(chain().node);
    // Ours with one published function renamed: not a scoring module.
    const code = codeOf("ours", account.account);
    const name = Buffer.from("finalize_script");
    const at = code.indexOf(name);
    Buffer.from("finalize_secret").copy(code, at);
    await publish(chain().node, account, code);
    await expect(deploy({ account, upgrade: true })).rejects.toMatchObject({ code: "CONTRACT_NOT_FOUND" });
  });
});

test("the published module is the package's artifact with the publisher in place of the placeholder", async () => {
  const account = await freshAccount(chain().node);
  await deploy({ account });
  const path = `/initia/move/v1/accounts/${account.account}/modules/vip_score`;
  const answer = (await (await fetch(chain().url + path)).json()) as { module: { raw_bytes: string } };
  const published = Buffer.from(answer.module.raw_bytes, "base64");
  expect(published.equals(codeOf("ours", account.account))).toBe(true);
  expect(published.includes(encodeAddress(account.account))).toBe(true);
});
