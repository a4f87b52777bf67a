import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createPublicClient, createWalletClient, http, type Abi, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { until } from "@vipscore/testkit/until";
import { readGuide } from "../guide.ts";
import { csvOf, openTestFolder, runCli, type CliResult } from "../harness.ts";
import { findOpenStage, readRows, readScores, readStage } from "./movePageExample.ts";
import { proveScore } from "./proofPageExample.ts";

// The rehearsal of a release runs the commands of npm, contracts/evm/test/foundry those of forge.

const markdown = await readFile(new URL("../../../../docs/contracts.md", import.meta.url), "utf8");
/** What `npm test` in a new project compiles; the same sources are compiled for the tests of the package. */
const compiled = new URL("../../../../contracts/evm/artifacts/examples/contracts/", import.meta.url);

const ended = new AbortController();
const cwd = temporaryFolder();
let node: Promise<CliResult>;
beforeAll(async () => {
  node = runCli(["node", "--port", "0"], cwd, { signal: ended.signal });
  await until("the local node", () => readNodeFile(cwd));
});
afterAll(async () => {
  ended.abort();
  await node;
});

/** The game of another account: its address is known once the scoring contract is. */
let arena: Hex = "0x";
/** The first scoring contract. */
let old: Hex | undefined;
let win: (points: bigint) => Promise<void>;

/** Steps that others take before a command. */
const before: Readonly<Record<string, () => Promise<void>>> = {
  "vipscore members add $ARENA": deployArena,
  "vipscore status --stage 1": () => win(5n),
  "vipscore status": () => win(7n),
  "vipscore deploy --init-stage 1 --artifact game/artifacts/contracts/CappedScores.sol/CappedScores.json": async () => {
    finalized = (await runCli(["export", "--stage", "1"], cwd)).stdout;
    await cp(compiled, join(cwd, "game/artifacts/contracts"), { recursive: true });
  },
};

/** The scores of the finalized stage. */
let finalized = "";

async function deployArena(): Promise<void> {
  const { contract } = (await runCli(["status", "--json"], cwd)).json();
  const { address: scores } = contract as { readonly address: Hex };
  old ??= scores;
  const artifact = JSON.parse(await readFile(new URL("Arena.sol/Arena.json", compiled), "utf8")) as {
    readonly abi: Abi;
    readonly bytecode: Hex;
  };
  const transport = http((await readNodeFile(cwd))?.rpcUrl);
  const reader = createPublicClient({ transport });
  const account = privateKeyToAccount(testAccounts.operator.privateKey);
  const wallet = createWalletClient({ account, transport });
  const done = (hash: Hex) => reader.waitForTransactionReceipt({ hash });
  const { contractAddress } = await done(await wallet.deployContract({ ...artifact, args: [scores], chain: null }));
  arena = contractAddress ?? expect.fail("Arena was not deployed");
  win = async (points) => {
    const call = { address: arena, abi: artifact.abi, functionName: "win", args: [points], chain: null } as const;
    expect((await done(await wallet.writeContract(call))).status).toBe("success");
  };
}

const variables = { ARENA: "$ARENA", OLD: "$OLD", FINALIZER: testAccounts.deployer.address };

/** What the commands so far have shown. */
let shown = "";

test.each(readGuide(markdown, variables))("$title", async ({ commands }) => {
  for (const { line, args } of commands) {
    await before[line]?.();
    const digest = /^sha256 +([0-9a-f]{64})$/m.exec(shown)?.[1] ?? "";
    const values: Readonly<Record<string, string | undefined>> = { $ARENA: arena, $OLD: old };
    const words = args.map((word) => values[word] ?? (/^[0-9a-f]{64}$/.test(word) ? digest : word));
    // The same calls in every run.
    if (words[0] === "conform") words.push("--seed", "1");
    const result = await runCli(words, cwd, { env: { NO_COLOR: "1" }, typed: "1\n" });
    expect({ line, status: result.status, error: result.status === 0 ? "" : result.stderr }).toEqual({
      line,
      status: 0,
      error: "",
    });
    shown += result.stdout;
  }
});

test("the score of the win is in the finalized stage", () => {
  expect(finalized).toContain(`${testAccounts.operator.address},5`);
  expect(shown).toMatch(/\btotal 5 +1 account$/m);
});

test("a game that is deployed again scores in the contract that took over the open stage", () => {
  expect(shown).toMatch(/^stages +2 +open +total 7 +1 account$/m);
});

test.each([
  ["evm/examples/contracts/Arena.sol", "scores.increaseScore(open, msg.sender, points)"],
  ["wasm/examples/arena/src/lib.rs", "ScoreMsg::IncreaseScore"],
  ["move/arena/sources/arena.move", "vip_score::increase_score(&scorer, player, arena.stage, points)"],
])("a game calls as %s does", async (file, call) => {
  expect(markdown).toContain(call);
  expect(await readFile(new URL(`../../../../contracts/${file}`, import.meta.url), "utf8")).toContain(call);
});

test("a page on Move reads a stage, scores and all rows, whose addresses a node shortens, and proves a score", async () => {
  for (const file of ["movePageExample.ts", "proofPageExample.ts"])
    expect(markdown).toContain(await readFile(new URL(file, import.meta.url), "utf8"));
  const chain = await startVipnode({ vm: "move" });
  await using folder = await openTestFolder(chain);
  const contract = await folder.deploy();
  await folder.write("scores.csv", csvOf(300));
  await folder.ok(["push", "scores.csv", "--stage", "1"]);
  const rows = await readRows(chain.restUrl, contract, 1n, 100);
  const lines = rows.map(({ addr, score }) => `${addr},${score}\n`).reverse();
  expect(`address,score\n${lines.join("")}`).toBe(csvOf(300));
  const [{ addr, score } = expect.fail("no rows")] = rows;
  expect(await readScores(chain.restUrl, contract, 1n, [contract, addr])).toEqual([null, score]);
  expect(await readScores(chain.restUrl, contract, 9n, [addr])).toEqual([null]);
  const total = String(rows.reduce((sum, row) => sum + BigInt(row.score), 0n));
  const read = { exists: true, is_finalized: false, score_count: "300", total_score: total };
  expect(await readStage(chain.restUrl, contract, 1n)).toMatchObject(read);
  expect(await readStage(chain.restUrl, contract, 9n)).toMatchObject({ exists: false });
  const { root, leaf } = proveScore({ bridgeId: 7n, stage: 1n }, rows, addr);
  const snapshot = await folder.ok(["snapshot", "--stage", "1", "--bridge-id", "7", "--proof", addr]);
  expect(snapshot).toMatchObject({ root, leaves: [{ score, proof: leaf?.proof }] });
  expect(await findOpenStage(chain.restUrl, contract)).toBe(1n);
  await folder.ok(["finalize", "--stage", "1", "--file", "scores.csv", "--yes"]);
  expect(await findOpenStage(chain.restUrl, contract)).toBe(2n);
  await expect(readRows(chain.restUrl, addr, 1n)).rejects.toThrow(/http:.*\b[45]\d\d\b/);
});
