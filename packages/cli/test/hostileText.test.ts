import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { writeNodeFile } from "@vipscore/core/nodeFile";
import { script } from "@vipscore/testkit/scriptedServer";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { startCli } from "./childCli.ts";
import { runCli } from "./harness.ts";
import { collection, minted, startIndexedChain } from "./indexedChain.ts";
import { obeyed } from "./obeyed.ts";

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

/** Clears the screen, sets the title, sets a color in C1, returns the cursor, reverses the line, and contains CI commands. */
const hostile =
  "\u001b[2J\u001b]0;owned\u0007\u009b31m\r\u202enedoc\n::error::owned\n \t::add-mask::owned\n##[error]owned ##vso[x]";

const contract = `0x${"c1".repeat(20)}`;

/** A node that refuses every call with a text. */
async function refusingNode(message: string): Promise<string> {
  const { url } = await script((request) => {
    if (request.body === "") return undefined;
    const { id } = JSON.parse(request.body) as { readonly id: number };
    return { body: { jsonrpc: "2.0", id, error: { code: -32_000, message } } };
  });
  return url;
}

test("a node's text cannot control the terminal, in a separate process", async () => {
  const url = await refusingNode(hostile);
  const child = startCli(["status", "--vm", "evm", "--endpoint", url, "--contract", contract, "--debug"], cwd);
  expect(await child.ended).toBe(4);
  expect(child.output.stderr).toContain("owned");
  expect(child.output.stderr).not.toMatch(obeyed);
  expect(child.output.stdout).toBe("");
});

test("escapes a node's text in JSON", async () => {
  const url = await refusingNode(`why ${hostile}`);
  const result = await runCli(["status", "--vm", "evm", "--endpoint", url, "--contract", contract, "--json"], cwd);
  expect(result.status).toBe(4);
  expect(result.stdout).not.toMatch(obeyed);
  expect(result.stderr).not.toMatch(obeyed);
  const { message, hints } = result.json()["error"] as { readonly message: string; readonly hints: readonly string[] };
  expect([message, ...hints].join()).toContain("\u001b[2J");
});

test("a terminal gets only the command's own colors", async () => {
  const url = await refusingNode(hostile);
  const result = await runCli(["status", "--vm", "evm", "--endpoint", url, "--contract", contract], cwd, {
    terminal: true,
  });
  expect(result.stderr).toContain("\u001b[31m");
  expect(result.stderr.replaceAll("\u001b[31m", "").replaceAll("\u001b[39m", "")).not.toMatch(obeyed);
});

test.each([
  ["a file's name", ["push", `${hostile}.csv`, "--stage", "1", "--vm", "evm", "--endpoint", "http://127.0.0.1:9"]],
  ["an option", [`--${hostile}`]],
  ["a command", [hostile]],
  ["a value", ["push", "x.csv", "--stage", hostile]],
  ["an interval", ["watch", "x.csv", "--stage", "1", "--interval", hostile]],
  ["a settings file", ["status", "--config", hostile]],
])("%s cannot control the terminal", async (_name, args) => {
  for (const more of [[], ["--json"]]) {
    const result = await runCli([...args, ...more], cwd);
    expect(result.status).toBe(2);
    expect(result.stderr + result.stdout).toContain("owned");
    expect(result.stderr + result.stdout).not.toMatch(obeyed);
  }
});

test("a settings file's keys and a chain's values cannot control the terminal", async () => {
  await writeFile(join(cwd, "vipscore.config.json"), JSON.stringify({ [hostile]: 1 }));
  const result = await runCli(["status"], cwd);
  expect(result.status).toBe(2);
  expect(result.stderr).toContain("owned");
  expect(result.stderr).not.toMatch(obeyed);
});

test("an indexer's tokens cannot control the terminal, neither in a table nor in CSV; CSV is exact in a file", async () => {
  const cats = "0x00000000000000000000000000000000000000c1";
  const owner = "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475";
  await using chain = await startIndexedChain();
  await chain.block(collection(cats, hostile), minted(cats, "::error::first", owner), minted(cats, hostile, owner));
  const rpcUrl = "http://127.0.0.1:9";
  await writeNodeFile(cwd, { vm: "evm", rpcUrl, chainId: "31337", indexerUrl: chain.url });
  const tokens = ["nft", "tokens", "--collection", cats];
  for (const args of [tokens, [...tokens, "--json"], ["nft", "holders", cats]]) {
    const shown = await runCli(args, cwd);
    expect(shown.status).toBe(0);
    expect(shown.stdout + shown.stderr).not.toMatch(obeyed);
  }
  const csv = await runCli([...tokens, "--format", "csv"], cwd);
  expect(csv.stdout).toContain(hostile);
  const onTerminal = await runCli([...tokens, "--format", "csv"], cwd, { terminal: true });
  expect(onTerminal.stdout).toContain("owned");
  expect(onTerminal.stdout).not.toMatch(obeyed);
});
