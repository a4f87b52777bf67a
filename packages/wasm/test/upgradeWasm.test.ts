import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { stage, u64Max, type Account, type DeployEvent } from "@vipscore/core";
import { openJsonRpc } from "@vipscore/core/wire";
import { startVipnode } from "@vipscore/localnet";
import { sendPriced } from "@vipscore/testkit/adapter/gasModel";
import { longAccountOf, readRows, rowsOf, sorted, write, writeRows } from "@vipscore/testkit/adapter/rows";
import { contractVersion } from "@vipscore/testkit/contractVersion";
import { askedBy, refused } from "@vipscore/testkit/scriptedNode";
import { passOn, script } from "@vipscore/testkit/scriptedServer";
import { started } from "@vipscore/testkit/started";
import { querySmart } from "../src/contractReader.ts";
import { connectWasm, deployWasm, upgradeWasm, type WasmAccount } from "../src/index.ts";
import { msgMigrateContract } from "../src/wasmMessages.ts";
import { deployShape, execute, freshAccount } from "./testContract.ts";

const [one, two, three] = [stage(1n), stage(2n), stage(3n)];

const chain = started(() => startVipnode({ vm: "wasm" }));

async function upgrade(account: WasmAccount, address: string, initStage = one) {
  const steps: string[] = [];
  const onEvent = ({ step, status }: DeployEvent) => steps.push(`${step} ${status}`);
  const upgraded = await upgradeWasm({ rpcUrl: chain.rpcUrl, account, address, initStage, onEvent });
  return { upgraded, steps };
}

test("a contract of the reference's shape becomes ours and keeps all of its data", async () => {
  const account = await freshAccount(chain);
  const reference = await deployShape(chain, "reference", account);
  const rows = rowsOf(10_000);
  await writeRows(reference, rows, one);
  await write(reference, { kind: "finalizeStage", stage: one });
  const open = [...rowsOf(300, 9_900), { account: longAccountOf(1), score: u64Max - 2n ** 53n - 1n }];
  await writeRows(reference, open, two);
  const member = longAccountOf(2);
  await write(reference, { kind: "addMember", account: member });
  const { address } = reference.identity;

  await expect(upgrade(await freshAccount(chain), address)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  await expect(upgrade(account, address, two)).rejects.toMatchObject({ code: "INIT_STAGE_SET" });
  const { upgraded, steps } = await upgrade(account, address);
  expect(steps.slice(-2)).toEqual(["migrate sending", "migrate done"]);
  expect(upgraded).toMatchObject({ address, owner: account.account, admin: account.account, pendingOwner: undefined });
  console.log(`migrate: ${upgraded.transaction?.gasUsed} gas for 10,301 rows in two stages`);
  const again = await upgrade(account, address);
  expect(again).toMatchObject({ steps: ["migrate unchanged"], upgraded: { transaction: undefined } });

  const ours = await connectWasm({ rpcUrl: chain.rpcUrl, address, account });
  expect(ours.version).toBe(contractVersion);
  const sum = (list: typeof open) => list.reduce((total, { score }) => total + score, 0n);
  const first = { stage: 1n, total: sum([...rows]), isFinalized: true, count: undefined };
  expect(await ours.getStage(one)).toMatchObject(first);
  expect(await ours.getStage(two)).toEqual({
    stage: 2n,
    total: sum(open),
    isFinalized: false,
    count: 301n,
    revision: 1n,
  });
  expect(await ours.getStage(three)).toBeUndefined();
  expect(await ours.getInitStage()).toBe(1n);
  expect(sorted(await readRows(ours, one))).toEqual(sorted(rows));
  expect(sorted(await readRows(ours, two))).toEqual(sorted(open));
  expect(new Set(await ours.getMembers())).toEqual(new Set<Account>([account.account, member]));
  // The admin becomes the owner.
  expect(await ours.isManager(account.account)).toBe(true);

  // The finalized stage stays finalized; the open one can still be written.
  const late = await write(ours, { kind: "updateScores", stage: one, rows: rows.slice(0, 1) });
  expect(late).toMatchObject({ succeeded: false, code: "STAGE_FINALIZED" });
  const refinalized = await write(ours, { kind: "finalizeStage", stage: one });
  expect(refinalized).toMatchObject({ succeeded: false, code: "STAGE_FINALIZED" });
  const changed = open.slice(0, 200).map((row) => ({ ...row, score: 7n }));
  // The open stage is in pages now, and is priced as any stage of ours.
  const more = [...changed, ...rowsOf(50, 20_000)];
  await sendPriced(ours, more, { at: two });
  const expected = { total: sum([...more, ...open.slice(200)]), count: 351n, revision: 2n };
  expect(await ours.getStage(two)).toMatchObject(expected);
  expect(await write(ours, { kind: "finalizeStage", stage: two, expected })).toMatchObject({ succeeded: true });
  await writeRows(ours, rows.slice(0, 3), three);
  expect(await readRows(ours, three)).toHaveLength(3);
});

test("named members take the place of those of a reference contract", async () => {
  const account = await freshAccount(chain);
  const reference = await deployShape(chain, "reference", account);
  await write(reference, { kind: "addMember", account: longAccountOf(1) });
  const { address } = reference.identity;
  const members = [longAccountOf(2), account.account];
  const { rpcUrl } = chain;
  const upgraded = await upgradeWasm({ rpcUrl, account, address, initStage: one, members });
  expect(new Set(upgraded.members)).toEqual(new Set(members));
  const more = await upgradeWasm({ rpcUrl, account, address, initStage: one, members: [longAccountOf(3)] });
  expect(new Set(more.members)).toEqual(new Set([...members, longAccountOf(3)]));
});

test("a migration by the admin replaces the members of a contract that is ours, or keeps them", async () => {
  const { rpcUrl } = chain;
  const [thief, admin, safe] = await Promise.all([freshAccount(chain), freshAccount(chain), freshAccount(chain)]);
  const deployed = await deployWasm({ rpcUrl, account: thief, initStage: one, admin: admin.account });
  const { address, codeId } = deployed;
  const ours = await connectWasm({ rpcUrl, address, account: thief });
  await writeRows(ours, rowsOf(3), one);
  const migrate = (message: object) => {
    const msg = JSON.stringify(message);
    return execute(chain, admin, msgMigrateContract({ sender: admin.address, contract: address, codeId, msg }));
  };
  await migrate({});
  expect(await ours.getMembers()).toEqual([thief.account]);
  await migrate({ allow_list: [safe.address] });
  expect(await ours.getMembers()).toEqual([safe.account]);
  expect(await ours.getStage(one)).toMatchObject({ count: 3n, isFinalized: false });
  for (const kind of ["updateScores", "finalizeStage"] as const) {
    const call = { kind, stage: one, rows: rowsOf(1) };
    expect(await write(ours, call)).toMatchObject({ succeeded: false, code: "PERMISSION_DENIED" });
  }
  const theirs = await connectWasm({ rpcUrl, address, account: safe });
  await writeRows(theirs, rowsOf(4), one);
  expect(await write(theirs, { kind: "finalizeStage", stage: one })).toMatchObject({ succeeded: true });
});

test("an upgrade adds named members to those of a contract that builds on ours", async () => {
  const { rpcUrl } = chain;
  const account = await freshAccount(chain);
  const artifact = fileURLToPath(
    new URL("../../../contracts/wasm/examples/awards/artifacts/awards.wasm", import.meta.url),
  );
  const { address } = await deployWasm({ rpcUrl, account, initStage: one, artifact });
  const members = [longAccountOf(3)];
  const upgraded = await upgradeWasm({ rpcUrl, account, address, initStage: one, members });
  expect(upgraded.transaction).toBeDefined();
  expect(new Set(upgraded.members)).toEqual(new Set([account.account, ...members]));
});

test("the largest page fits in the gas of a query, in both forms of a stage", async () => {
  const account = await freshAccount(chain);
  const reference = await deployShape(chain, "reference", account);
  const rows = Array.from({ length: 4_000 }, (_, n) => ({ account: longAccountOf(n), score: 2n ** 50n + BigInt(n) }));
  await writeRows(reference, rows, one);
  await write(reference, { kind: "finalizeStage", stage: one });
  const { address } = reference.identity;
  await upgrade(account, address);
  await writeRows(await connectWasm({ rpcUrl: chain.rpcUrl, address, account }), rows, two);
  const reader = { comet: openJsonRpc(chain.rpcUrl), address };
  for (const at of [one, two]) {
    const ask = { get_scores: { stage: at, limit: 4_000n } };
    expect(await querySmart(reader, ask, (answer) => answer.field("scores").list().length, {})).toBe(4_000);
  }
});

test("a contract without an admin is not changed", async () => {
  const account = await freshAccount(chain);
  const { address } = await deployWasm({ rpcUrl: chain.rpcUrl, account, initStage: one, admin: "none" });
  expect((await upgrade(account, address)).steps).toEqual(["migrate unchanged"]);
  const reference = await deployShape(chain, "reference", account, "");
  await expect(upgrade(account, reference.identity.address)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
});

test("the gas simulation is retried on a node that does not have the stored code yet", async () => {
  const account = await freshAccount(chain);
  const { identity } = await deployShape(chain, "reference", account);
  const behind = [refused("code id 9: no such code"), refused("account sequence mismatch, expected 9, got 8", 32)];
  let simulations = 0;
  const { url } = await script((request) => {
    const asked = askedBy(request);
    if (asked.name !== "/cosmos.tx.v1beta1.Service/Simulate") return passOn(chain.rpcUrl, request);
    const reply = behind[simulations];
    simulations += 1;
    return reply?.(asked) ?? passOn(chain.rpcUrl, request);
  });
  const { address } = identity;
  const upgraded = await upgradeWasm({ rpcUrl: url, account, address, initStage: one });
  expect(upgraded).toMatchObject({ address, transaction: expect.anything() as unknown });
  expect(simulations).toBe(3);
});
