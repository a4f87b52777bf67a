import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createWalletClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, onTestFinished, test } from "vitest";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { testAccounts } from "@vipscore/localnet";
import { compileSolidity } from "@vipscore/testkit/compileSolidity";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { until } from "@vipscore/testkit/until";
import { blocksOf, readGuide } from "../guide.ts";
import { runCli, type JsonObject } from "../harness.ts";

const markdown = await readFile(new URL("../../../../docs/indexer.md", import.meta.url), "utf8");
const [{ text, commands } = expect.fail("no section")] = readGuide(markdown, {}, /^Practice/);
const [createOnEvm = [], listOnEvm = [], publish = [], listOnMove = [], createOnWasm = [], listOnWasm = []] =
  commands.map(({ args }) => args);

const folders = { evm: temporaryFolder(), move: temporaryFolder(), wasm: temporaryFolder() };

const run = promisify(execFile);
const place = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** Runs a local node with an indexer in a folder until the test ends; returns its URL. */
async function startNode(vm: keyof typeof folders): Promise<string> {
  const cwd = folders[vm];
  process.chdir(cwd);
  const ended = new AbortController();
  const node = runCli(["node", "--vm", vm, "--indexer", "0", "--port", "0"], cwd, { signal: ended.signal });
  onTestFinished(async () => {
    ended.abort();
    await node;
  });
  return (await until("the local node", () => readNodeFile(cwd))).rpcUrl;
}

/** Runs a command of the guide that lists tokens until the indexer has some, and later their URIs. */
const tokensOf = (list: readonly string[], cwd: string) =>
  until("the token", async () => {
    const found = (await runCli([...list, "--json"], cwd)).json()["tokens"] as readonly JsonObject[];
    return found.length > 0 && found.every(({ uri }) => uri !== "") ? found : undefined;
  });

test("on EVM, a contract brings tokens to the indexer", async () => {
  const cwd = folders.evm;
  const rpcUrl = await startNode("evm");
  expect((await runCli(createOnEvm, cwd)).status).toBe(0);
  const source = join(cwd, "game", "contracts", "Cats.sol");
  await writeFile(source, blocksOf(text, "solidity")[0] ?? "");
  const { Cats } = await compileSolidity(pathToFileURL(source));
  const account = privateKeyToAccount(testAccounts.deployer.privateKey);
  const wallet = createWalletClient({ account, transport: http(rpcUrl) });
  await wallet.deployContract({ ...(Cats ?? expect.fail("Cats")), chain: null });
  const tokens = await tokensOf(listOnEvm, cwd);
  expect(tokens).toHaveLength(30);
  expect(tokens).toContainEqual(
    expect.objectContaining({ collectionName: "Cats", tokenId: "30", uri: "https://example.org/30" }),
  );
});

test("on Move, a package of two files brings a token to the indexer", async () => {
  const cwd = folders.move;
  await startNode("move");
  await mkdir(join(cwd, "cats", "sources"), { recursive: true });
  await writeFile(join(cwd, "cats", "Move.toml"), blocksOf(text, "toml")[0] ?? "");
  await writeFile(join(cwd, "cats", "sources", "cats.move"), blocksOf(text, "move")[0] ?? "");
  // The compiler asks Go where the library is.
  const { PATH, HOME } = process.env;
  const { status, stderr } = await runCli(publish, cwd, { env: { PATH, HOME } });
  expect({ status, error: status === 0 ? "" : stderr }).toEqual({ status: 0, error: "" });
  expect(await tokensOf(listOnMove, cwd)).toMatchObject([
    { collectionName: "Cats", tokenId: "1", uri: "https://example.org/1.json" },
  ]);
});

test("on Wasm, a crate that passes the entry points of cw721-base on brings a token to the indexer", async () => {
  const cwd = folders.wasm;
  await startNode("wasm");
  expect((await runCli(createOnWasm, cwd)).status).toBe(0);
  const cats = join(cwd, "cats");
  const manifest = await readFile(join(cats, "Cargo.toml"), "utf8");
  const [, dependency = ""] = blocksOf(text, "toml");
  await writeFile(join(cats, "Cargo.toml"), manifest.replace(/^vip-score = .*$/m, dependency));
  await writeFile(join(cats, "src", "lib.rs"), blocksOf(text, "rust")[0] ?? "");
  await writeFile(join(cats, "deploy.js"), blocksOf(text, "js")[1] ?? "");
  // With the versions and the compiled dependencies of our crates. The machine of a test may not have the target of Wasm.
  await cp(place("contracts/wasm/Cargo.lock"), join(cats, "Cargo.lock"));
  const env = { CARGO_TARGET_DIR: place("contracts/wasm/target"), CARGO_PROFILE_DEV_DEBUG: "false" };
  await run("cargo", ["check", "--lib"], { cwd: cats, env: { ...process.env, ...env } });
  await cp(place("contracts/wasm/cw721_fixture/artifacts/cw721_fixture.wasm"), join(cats, "arena.wasm"));
  // As npm installs it.
  await symlink(place("node_modules"), join(cats, "node_modules"));
  await run(process.execPath, ["--conditions=@vipscore/source", "deploy.js"], { cwd: cats });
  expect(await tokensOf(listOnWasm, cwd)).toMatchObject([
    { collectionName: "Cats", tokenId: "1", uri: "https://example.org/1.json" },
  ]);
});
