import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createPublicClient, createWalletClient, http, type Abi, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { testAccounts } from "@vipscore/localnet";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { until } from "@vipscore/testkit/until";
import { readGuide } from "../guide.ts";
import { runCli, type CliResult } from "../harness.ts";

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
