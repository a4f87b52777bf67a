import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { MsgExecute } from "@initia/initia.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseAccount, stage, u64Max } from "@vipscore/core";
import { openRest } from "@vipscore/core/wire";
import { buildVipnode } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { write } from "@vipscore/testkit/adapter/rows";
import { contractsFolder } from "../scripts/compileModule.ts";
import { encodeU64 } from "../src/bcs.ts";
import { connectMove, deployMove } from "../src/index.ts";
import { startMove } from "./moveChain.ts";
import { execute, freshAccount, publish } from "./testContract.ts";

const chain = useChain(() => startMove());
const [four, five] = [stage(4n), stage(5n)];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vipscore-example-"));
  for (const name of ["Move.toml", "sources", "arena"]) {
    await cp(join(contractsFolder, name), join(folder, name), { recursive: true });
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** Deploys our contract, and the example Arena as one of its deployers. */
async function deployArena() {
  const { node, url: restUrl } = chain();
  const operator = await freshAccount(node);
  const author = await freshAccount(node);
  await deployMove({ restUrl, account: operator, initStage: four });
  const vipnode = await buildVipnode({ vm: "move" });
  const arena = join(folder, "arena");
  const named = [`arena=${author.account}`, `vip_score=${operator.account}`].flatMap((each) => [
    "--named-address",
    each,
  ]);
  await promisify(execFile)(vipnode, ["build", arena, ...named], { cwd: folder });
  await publish(node, author, await readFile(join(arena, "build/arena/bytecode_modules/arena.mv")));

  const body = { address: author.account, module_name: "arena", function_name: "get_scorer", type_args: [], args: [] };
  const read = (text: string): string => JSON.parse(text) as string;
  const scorer = await openRest(restUrl).query(
    "/initia/move/v1/view",
    body,
    (answer) => read(answer.field("data").text()),
    {},
  );
  const scores = await connectMove({ restUrl, address: operator.address, account: operator });
  const member = parseAccount(scorer, scores);
  await write(scores, { kind: "addMember", account: member });
  const player = await freshAccount(node);
  const call = (points: bigint) =>
    new MsgExecute(player.address, author.account, "arena", "win", [], [encodeU64(points).toString("base64")]);
  /** Wins, and returns the gas; the transaction must succeed. */
  const win = async (points: bigint): Promise<bigint> => {
    const { succeeded, gasUsed } = await execute(node, player, call(points));
    expect(succeeded).toBe(true);
    return gasUsed;
  };
  return { scores, member, player, win };
}

test("Arena scores in its users' own transactions, and moves on to the open stage", async () => {
  const { scores, player, win } = await deployArena();
  await win(5n);
  await win(7n);
  expect(await scores.getScore(four, player.account)).toBe(12n);
  expect(await scores.getStage(four)).toMatchObject({ total: 12n, count: 1n, revision: 2n });
  await write(scores, { kind: "finalizeStage", stage: four });
  await win(3n);
  expect(await scores.getScore(five, player.account)).toBe(3n);
});

test("Arena keeps the win if the score would be refused, at the gas of docs/performance.md", async () => {
  const { scores, member, player, win } = await deployArena();
  const [first, again] = [await win(5n), await win(5n)];
  await write(scores, { kind: "updateScores", stage: four, rows: [{ account: player.account, score: u64Max }] });
  await win(5n);
  await write(scores, { kind: "removeMember", account: member });
  const alone = await win(5n);
  console.log(`Move: a win with a score ${first} gas for a new account, ${again} later; without one ${alone}`);
  expect(first).toBeLessThan(100_000n);
  expect(again).toBeLessThan(100_000n);
  expect(await scores.getStage(four)).toMatchObject({ total: u64Max, count: 1n, revision: 3n });
});
