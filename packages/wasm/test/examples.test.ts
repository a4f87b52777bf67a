import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { stage, u64Max, type Account } from "@vipscore/core";
import { allFeatures } from "@vipscore/core/engine";
import { openJsonRpc } from "@vipscore/core/wire";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { accountOf, readRows, rowsOf, sorted, write } from "@vipscore/testkit/adapter/rows";
import { contractVersion } from "@vipscore/testkit/contractVersion";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { findSmart } from "../src/contractReader.ts";
import { eventValue } from "../src/eventValue.ts";
import { connectWasm, deployWasm, upgradeWasm, type WasmAccount } from "../src/index.ts";
import { accountOfAddress, addressOf } from "../src/wasmAddress.ts";
import { msgExecuteContract, msgMigrateContract } from "../src/wasmMessages.ts";
import { deployShape, execute, freshAccount, instantiate, storeOnce } from "./testContract.ts";
import { startWasm } from "./wasmChain.ts";

const chain = useChain(() => startWasm());
const [four, five] = [stage(4n), stage(5n)];
const releases = temporaryFolder();

/** The built contract of an example. */
const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../../contracts/wasm/examples/${name}/artifacts/${name}.wasm`, import.meta.url));

/** Sends an example's own message. */
function send(account: WasmAccount, contract: string, message: object) {
  const msg = JSON.stringify(message);
  return execute(chain().node, account, msgExecuteContract({ sender: account.address, contract, msg }));
}

/** Stores the built Arena, with a change. */
async function storeArena(change = (code: string): string => code): Promise<bigint> {
  const bytes = Buffer.from(change(await readFile(fileOf("arena"), "latin1")), "latin1");
  return storeOnce(chain().node, { bytes, checksum: createHash("sha256").update(bytes).digest() });
}

async function deployArena() {
  const { rpcUrl } = chain().node;
  const operator = await freshAccount(chain().node);
  const { address } = await deployWasm({ rpcUrl, account: operator, initStage: four });
  const arena = await instantiate(chain().node, operator, await storeArena(), { scores: address, stage: 4 });
  const scores = await connectWasm({ rpcUrl, address, account: operator });
  const member = accountOfAddress(arena) as Account;
  await write(scores, { kind: "addMember", account: member });
  const player = await freshAccount(chain().node);
  const win = (points: number) => send(player, arena, { win: { points } });
  return { operator, scores, arena, member, player, win };
}

test("Arena scores in its users' own transactions, and moves on to the open stage", async () => {
  const { scores, player, win } = await deployArena();
  await win(5);
  await win(7);
  expect(await scores.getScore(four, player.account)).toBe(12n);
  expect(await scores.getStage(four)).toMatchObject({ total: 12n, count: 1n, revision: 2n });
  await write(scores, { kind: "finalizeStage", stage: four });
  await win(3);
  expect(await scores.getScore(five, player.account)).toBe(3n);
  expect(await scores.getScore(four, player.account)).toBe(12n);
});

test("Arena keeps the win if the score is refused, and says why", async () => {
  const { scores, member, player, win } = await deployArena();
  const reasonOf = (hash: string) =>
    eventValue(openJsonRpc(chain().node.rpcUrl), hash, { type: "wasm-not_scored", key: "reason" }, undefined);
  await write(scores, { kind: "updateScores", stage: four, rows: [{ account: player.account, score: u64Max }] });
  expect(await reasonOf((await win(5)).hash)).not.toBe("");
  await write(scores, { kind: "removeMember", account: member });
  expect(await reasonOf((await win(5)).hash)).not.toBe("");
  expect(await scores.getStage(four)).toMatchObject({ total: u64Max, revision: 1n });
});

test("the next release of Arena replaces its code: it keeps its stage and stays a member", async () => {
  const { operator, scores, arena, member, player, win } = await deployArena();
  await write(scores, { kind: "finalizeStage", stage: four });
  await win(5);
  const codeId = await storeArena((code) => code.replaceAll("not_scored", "unscored__"));
  const migrate = msgMigrateContract({ sender: operator.address, contract: arena, codeId, msg: "{}" });
  await execute(chain().node, operator, migrate);
  await win(7);
  expect(await scores.getScore(five, player.account)).toBe(12n);
  await write(scores, { kind: "removeMember", account: member });
  const event = { type: "wasm-unscored__", key: "reason" };
  expect(await eventValue(openJsonRpc(chain().node.rpcUrl), (await win(5)).hash, event, undefined)).not.toBe("");
});

test("a win that runs out of gas fails as a whole: none goes without its score", async () => {
  const { scores, arena, player, win } = await deployArena();
  await win(5);
  const { gasUsed } = await win(5);
  let total = 10n;
  const outcomes = { won: 0, failed: 0 };
  for (let gas = gasUsed - 150_000n; gas <= gasUsed + 10_000n; gas += 5_000n) {
    const msg = JSON.stringify({ win: { points: 1 } });
    const message = msgExecuteContract({ sender: player.address, contract: arena, msg });
    const won = await execute(chain().node, player, message, gas).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ details: expect.stringContaining("out of gas") as string });
        return false;
      },
    );
    outcomes[won ? "won" : "failed"] += 1;
    if (won) total += 1n;
    expect(await scores.getStage(four)).toMatchObject({ total });
  }
  expect(outcomes.won).toBeGreaterThan(0);
  expect(outcomes.failed).toBeGreaterThan(10);
});

test("Arena keeps the win if the scoring contract does not say which stage is open", async () => {
  const { node } = chain();
  const operator = await freshAccount(node);
  const reference = await deployShape(node, "reference", operator);
  const arena = await instantiate(node, operator, await storeArena(), {
    scores: reference.identity.address,
    stage: 1,
  });
  await write(reference, { kind: "addMember", account: accountOfAddress(arena) as Account });
  const { hash } = await send(await freshAccount(node), arena, { win: { points: 5 } });
  const event = { type: "wasm-not_scored", key: "reason" };
  expect(await eventValue(openJsonRpc(node.rpcUrl), hash, event, undefined)).not.toBe("");
  expect(await reference.getStage(stage(1n))).toMatchObject({ total: 0n });
});

test("a win's gas beside one without a score is that of docs/performance.md", async () => {
  const { scores, member, win } = await deployArena();
  const [first, again] = [(await win(5)).gasUsed, (await win(5)).gasUsed];
  await write(scores, { kind: "removeMember", account: member });
  const refused = (await win(5)).gasUsed;
  // The smallest message of a contract: it writes one flag and emits one event.
  const { gasUsed: small } = await write(scores, { kind: "setManagement", allowed: true });
  console.log(
    `Wasm: a small message ${small} gas; a win ${first} for a new account, ${again} later; refused ${refused}`,
  );
  expect(first).toBeLessThan(300_000n);
  expect(again).toBeLessThan(300_000n);
});

test("Awards is deployed as an operator's own contract, with every message of ours and its own", async () => {
  const { rpcUrl } = chain().node;
  const account = await freshAccount(chain().node);
  const deployment = { rpcUrl, account, initStage: four, artifact: fileOf("awards"), finalizer: account.account };
  const { address, ...deployed } = await deployWasm(deployment);
  expect(deployed).toMatchObject({ version: "2.1.0-acme", features: allFeatures, finalizer: account.account });
  const scores = await connectWasm({ rpcUrl, address, account });
  expect(scores).toMatchObject({ version: "2.1.0-acme", features: allFeatures });
  const rows = [
    { account: accountOf(1), score: 20n },
    { account: accountOf(2), score: 10n },
  ];
  await write(scores, { kind: "updateScores", stage: four, rows, packed: true });
  await send(account, address, { award: { stage: 4, addr: addressOf(accountOf(1)) } });
  const reader = { comet: openJsonRpc(rpcUrl), address };
  const share = { get_share: { stage: 4, addr: addressOf(accountOf(1)) } } as never;
  expect(await findSmart(reader, share, (answer) => answer.field("share").value)).toBe(7_500n);
  const expected = { total: 40n, count: 2n, revision: 2n };
  expect(await write(scores, { kind: "finalizeStage", stage: four, expected })).toMatchObject({ succeeded: true });
  await expect(send(account, address, { award: { stage: 4, addr: addressOf(accountOf(1)) } })).rejects.toMatchObject({
    code: "STAGE_FINALIZED",
  });
});

test("a second release of Awards replaces the first one, and vip-score and back, and all scores stay", async () => {
  const { rpcUrl } = chain().node;
  const account = await freshAccount(chain().node);
  const { address } = await deployWasm({ rpcUrl, account, initStage: four, artifact: fileOf("awards") });
  const scores = await connectWasm({ rpcUrl, address, account });
  const rows = rowsOf(30);
  await write(scores, { kind: "updateScores", stage: four, rows, packed: true });
  await write(scores, { kind: "finalizeStage", stage: four });
  await write(scores, { kind: "updateScores", stage: five, rows: rows.slice(7) });
  const data = async () => {
    const contract = await connectWasm({ rpcUrl, address });
    const stages = [four, five].map(async (at) => [await contract.getStage(at), sorted(await readRows(contract, at))]);
    return Promise.all([contract.getMembers(), contract.getControl(), ...stages]);
  };
  const before = await data();
  // The next release differs in its version, which the module has as text.
  const built = (await readFile(fileOf("awards"))).toString("latin1");
  expect(built.split("2.1.0-acme")).toHaveLength(2);
  const next = join(releases, "awards.wasm");
  await writeFile(next, built.replace("2.1.0-acme", "2.2.0-acme"), "latin1");
  for (const [artifact, version] of [
    [next, "2.2.0-acme"],
    [fileOf("awards"), "2.1.0-acme"],
    [undefined, contractVersion],
    [next, "2.2.0-acme"],
  ] as const) {
    await upgradeWasm({ rpcUrl, account, address, initStage: four, artifact });
    const contract = await connectWasm({ rpcUrl, address, account });
    expect(contract.version).toBe(version);
    expect(await data()).toEqual(before);
  }
  const { total = 0n } = (await scores.getStage(five)) ?? {};
  await send(account, address, { award: { stage: 5, addr: addressOf(accountOf(1)) } });
  expect(await scores.getStage(five)).toMatchObject({ total: total + 10n });
});

test("the code of a game that has all published messages is refused as a scoring contract, and replaces none", async () => {
  const { rpcUrl } = chain().node;
  const account = await freshAccount(chain().node);
  // Other builds than the optimized one keep the messages that the game does not send: here, in a section of its own.
  const names =
    "update_scores decrease_score finalize_stage add_allow_list remove_allow_list get_scores get_stage_info";
  const section = Buffer.from(`\0\x01x${names}`);
  section[0] = section.length - 1;
  const artifact = join(releases, "game.wasm");
  await writeFile(artifact, Buffer.concat([await readFile(fileOf("arena")), Buffer.of(0), section]));
  const game = { rpcUrl, account, initStage: four, artifact };
  const refusal = { code: "INPUT_INVALID", message: expect.stringContaining("arena::InstantiateMsg") as string };
  await expect(deployWasm(game)).rejects.toMatchObject(refusal);
  const { address } = await deployWasm({ rpcUrl, account, initStage: four });
  await expect(upgradeWasm({ ...game, address })).rejects.toMatchObject(refusal);
  expect(await connectWasm({ rpcUrl, address, account })).toMatchObject({ version: contractVersion });
});
