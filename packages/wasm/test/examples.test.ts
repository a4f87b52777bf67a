import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { stage, u64Max, type Account } from "@vipscore/core";
import { allFeatures } from "@vipscore/core/engine";
import { openJsonRpc } from "@vipscore/core/wire";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { accountOf, write } from "@vipscore/testkit/adapter/rows";
import { eventValue } from "../src/broadcast.ts";
import { findSmart } from "../src/contractReader.ts";
import { connectWasm, deployWasm, type WasmAccount } from "../src/index.ts";
import { accountOfAddress, addressOf } from "../src/wasmAddress.ts";
import { msgExecuteContract } from "../src/wasmMessages.ts";
import { execute, freshAccount, instantiate, storeOnce } from "./testContract.ts";
import { startWasm } from "./wasmChain.ts";

const chain = useChain(() => startWasm());
const [four, five] = [stage(4n), stage(5n)];

/** The built contract of an example. */
const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../../contracts/wasm/examples/${name}/artifacts/${name}.wasm`, import.meta.url));

/** Sends an example's own message. */
function send(account: WasmAccount, contract: string, message: object) {
  const msg = JSON.stringify(message);
  return execute(chain().node, account, msgExecuteContract({ sender: account.address, contract, msg }));
}

async function deployArena() {
  const { rpcUrl } = chain().node;
  const operator = await freshAccount(chain().node);
  const { address } = await deployWasm({ rpcUrl, account: operator, initStage: four });
  const bytes = await readFile(fileOf("arena"));
  const codeId = await storeOnce(chain().node, { bytes, checksum: createHash("sha256").update(bytes).digest() });
  const arena = await instantiate(chain().node, operator, codeId, { scores: address, stage: 4 });
  const scores = await connectWasm({ rpcUrl, address, account: operator });
  const member = accountOfAddress(arena) as Account;
  await write(scores, { kind: "addMember", account: member });
  const player = await freshAccount(chain().node);
  const win = (points: number) => send(player, arena, { win: { points } });
  return { scores, arena, member, player, win };
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
