import { writeFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { isLong } from "@vipscore/testkit/isLong";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { startCli } from "./childCli.ts";
import { csvOf, runCli } from "./harness.ts";

const cwd = temporaryFolder();
beforeAll(async () => {
  process.chdir(cwd);
  await writeFile("scores.csv", csvOf(2));
});

const { privateKey, mnemonic } = testAccounts.operator;
const keys = [
  ["a key", privateKey.slice(2)],
  ["a key with 0x", privateKey],
  ["a key in capitals", privateKey.slice(2).toUpperCase()],
  ["a truncated key", privateKey.slice(0, -3)],
  ["a mnemonic", mnemonic],
] as const;

const push = ["push", "scores.csv", "--stage", "1"];
const dead = ["--vm", "evm", "--endpoint", "http://127.0.0.1:9"];
const deadMove = ["--vm", "move", "--endpoint", "http://127.0.0.1:9"];
const collection = `0x${"c1".repeat(20)}`;

/** Every argument and option that takes a value. */
const places: readonly (readonly [string, (key: string) => readonly string[]])[] = [
  ["command", (key) => [key]],
  ["subcommand", (key) => ["members", key]],
  ["option", (key) => ["status", `--${key}`]],
  ["score file", (key) => ["push", key, "--stage", "1", ...dead]],
  ["an extra file", (key) => ["verify", "scores.csv", key, "--stage", "1"]],
  ["--contract", (key) => ["status", "--contract", key, ...dead]],
  ["--contract=", (key) => ["status", `--contract=${key}`, ...dead]],
  ["--stage", (key) => ["push", "scores.csv", "--stage", key]],
  ["--chain-id", (key) => ["status", "--chain-id", key, "--contract", collection, ...dead]],
  ["--chain-id on Move", (key) => ["status", "--chain-id", key, ...deadMove]],
  ["--contract on Move", (key) => ["status", "--contract", key, ...deadMove]],
  ["--contract on Wasm", (key) => ["status", "--contract", key, "--vm", "wasm", "--endpoint", "http://127.0.0.1:9"]],
  ["--vm", (key) => ["status", "--vm", key]],
  ["--endpoint", (key) => ["status", "--endpoint", key, "--contract", collection]],
  ["--endpoint of indexer", (key) => ["indexer", "--endpoint", key]],
  ["--l1-rest-url", (key) => ["stage", "--l1-rest-url", key]],
  ["--vip-address", (key) => ["stage", "--l1-rest-url", "http://127.0.0.1:9", "--vip-address", key]],
  ["--config", (key) => ["status", "--config", key]],
  ["--remote-signer", (key) => ["status", "--remote-signer", key, ...dead]],
  ["--signer", (key) => ["status", "--remote-signer", "http://127.0.0.1:9", "--signer", key, ...dead]],
  ["--keystore", (key) => ["status", "--keystore", key, ...dead]],
  ["--scale", (key) => [...push, "--scale", key]],
  ["--format", (key) => [...push, "--format", key]],
  ["--interval", (key) => ["watch", "scores.csv", "--stage", "1", "--interval", key]],
  ["--metrics-port", (key) => ["watch", "scores.csv", "--stage", "1", "--metrics-port", key]],
  ["file of watch", (key) => ["watch", "scores.csv", key, "--stage", "1"]],
  ["--init-stage", (key) => ["deploy", "--init-stage", key]],
  ["--member", (key) => ["deploy", "--init-stage", "1", "--member", key, ...dead]],
  ["--owner", (key) => ["deploy", "--init-stage", "1", "--owner", key, ...dead]],
  ["--upgrade-policy", (key) => ["deploy", "--init-stage", "1", "--upgrade-policy", key]],
  ["--label", (key) => ["deploy", "--init-stage", "1", "--label", key, ...dead]],
  ["members add", (key) => ["members", "add", key, ...dead]],
  ["--port", (key) => ["node", "--port", key]],
  ["--mempool", (key) => ["node", "--vm", "move", "--mempool", key]],
  ["--start-height", (key) => ["indexer", "--start-height", key]],
  ["--indexer-url", (key) => ["nft", "holders", collection, "--indexer-url", key]],
  ["account of nft", (key) => ["nft", "tokens", key, "--indexer-url", "http://127.0.0.1:9"]],
  ["collection of nft", (key) => ["nft", "holders", key, "--indexer-url", "http://127.0.0.1:9"]],
  ["--limit", (key) => ["nft", "tokens", collection, "--limit", key]],
  ["--bridge-id", (key) => ["snapshot", "--stage", "1", "--bridge-id", key]],
  ["--proof", (key) => ["snapshot", "--stage", "1", "--proof", key, ...dead]],
  ["--previous", (key) => ["report", "--stage", "2", "--previous", key]],
  ["--plan", (key) => ["report", "--stage", "1", "--plan", key, ...dead]],
  ["proof file", (key) => ["verify-proof", key]],
  ["--address", (key) => ["verify-proof", "scores.csv", "--address", key]],
  ["--settings", (key) => ["proposal", "register", "--settings", key, "--out", "x.json"]],
  ["--out", (key) => ["operator", "commission", "0.1", "--bridge-id", "1", "--out", key]],
  ["--gas", (key) => ["operator", "commission", "0.1", "--bridge-id", "1", "--out", "x.json", "--gas", key]],
  ["rate of operator", (key) => ["operator", "commission", key, "--bridge-id", "1", "--out", "x.json"]],
  ["address of operator", (key) => ["operator", "address", key, "--bridge-id", "1", "--out", "x.json"]],
  ["--bridge-version", (key) => ["operator", "claim", "--bridge-id", "1", "--out", "x.json", "--bridge-version", key]],
  ["--proofs", (key) => ["claim", "--address", collection, "--out", "x.json", "--proofs", key]],
  ["--address of claim", (key) => ["claim", "--proofs", "x.json", "--out", "y.json", "--address", key]],
  ["--stages", (key) => ["claim", "--proofs", "x.json", "--address", collection, "--out", "y.json", "--stages", key]],
];

/** The environment variables that take a value, with the other settings that the command needs to read them. */
const variables = [
  ["CONTRACT_ADDRESS", ["status", ...dead]],
  ["CHAIN_ID", ["status", "--contract", collection, ...dead]],
  ["VIPSCORE_REMOTE_SIGNER", ["status", "--contract", collection, ...dead]],
  ["COIN_TYPE", ["status", "--contract", collection, ...dead]],
  ["INIT_STAGE", ["deploy", ...dead]],
  ["GAS_PRICES", ["status", "--contract", "0x1", ...deadMove]],
  ["VIPSCORE_ENDPOINT", ["status", "--contract", collection]],
  ["JSON_RPC_URL", ["status", "--contract", collection]],
  ["INDEXER_URL", ["nft", "holders", collection]],
  ["DATABASE_URL", ["indexer", ...dead]],
  ["VIP_ADDRESS", ["stage", "--l1-rest-url", "http://127.0.0.1:9"]],
] as const;

/** Fails if the output contains a recognizable part of a key. */
function expectNoKey(output: string, key: string): void {
  const bare = key.replace(/^0x/, "");
  const shown = output.toLowerCase();
  expect(shown).not.toContain(bare.slice(0, 16).toLowerCase());
  expect(shown).not.toContain(bare.slice(-16).toLowerCase());
}

test.each(keys)("%s is not repeated, no matter where it was pasted", async (_name, key) => {
  for (const [index, [place, argumentsOf]] of places.entries()) {
    const outputs = [[], ["--json"], ["--debug"]];
    for (const more of isLong ? outputs : [outputs[index % outputs.length] ?? []]) {
      const result = await runCli([...argumentsOf(key), ...more], cwd);
      const ending = /\[[A-Z_]+, exit ([234])\]/.exec(result.stderr)?.[1];
      expect({ place, ending }).toEqual({ place, ending: String(result.status) });
      expectNoKey(result.stdout + result.stderr, key);
    }
  }
});

test.each(keys)("%s in an environment variable is not repeated", async (_name, key) => {
  for (const [name, args] of variables) {
    const result = await runCli([...args, "--debug"], cwd, { env: { [name]: key } });
    expect({ name, failed: result.status > 0 }).toEqual({ name, failed: true });
    expectNoKey(result.stdout + result.stderr, key);
  }
});

test.each(keys)("%s in a file is not repeated", async (_name, key) => {
  for (const name of ["vm", "contract", "chainId", "gasPrices", "endpoint", key]) {
    await writeFile("settings.json", JSON.stringify({ endpoint: "http://127.0.0.1:9", vm: "evm", [name]: key }));
    const result = await runCli(["status", "--config", "settings.json", "--debug"], cwd);
    expect({ name, failed: result.status > 0 }).toEqual({ name, failed: true });
    expectNoKey(result.stdout + result.stderr, key);
  }
  for (const content of [
    key,
    `PRIVATE_KEY=${key}\n`,
    `address,score\n${key},5\n${collection},${key}\n`,
    `["${key}"]`,
  ]) {
    await writeFile("keys.txt", content);
    for (const format of ["csv", "json", "jsonl"]) {
      const args = ["push", "keys.txt", "--format", format, "--stage", "1", ...dead];
      const result = await runCli(args, cwd);
      expect(result.status).toBe(2);
      expectNoKey(result.stdout + result.stderr, key);
    }
  }
});

test("a key as contract and as file, in a separate process", async () => {
  for (const args of [
    ["status", "--contract", privateKey, ...dead],
    ["push", privateKey, "--stage", "1", ...dead],
  ]) {
    const child = startCli(args, cwd);
    expect(await child.ended).toBeGreaterThan(1);
    expectNoKey(child.output.stdout + child.output.stderr, privateKey);
  }
});
