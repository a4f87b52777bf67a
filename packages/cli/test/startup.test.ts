import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { cliCommand, startChild } from "./childCli.ts";

const listModules = fileURLToPath(new URL("./listModules.ts", import.meta.url));
const ownPackages = new URL("../..", import.meta.url).href;
const contract = "0x1d8e31d5071bb4072fffc05b792685dcc5085bde";

/** A server that no VM's client understands, so that a command ends after it has loaded the client. */
let server: Server;
let endpoint: string;
const cwd = temporaryFolder();

beforeAll(async () => {
  server = createServer((_, response) => response.writeHead(400).end("no"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
});

/** The modules that a command loads. */
interface Loaded {
  /** Of this repository, relative to `packages`. */
  readonly files: readonly string[];
  /** Names of the other packages. */
  readonly packages: ReadonlySet<string>;
}

async function modulesOf(
  args: readonly string[],
  expectedStatus: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Loaded> {
  const list = join(cwd, "modules.txt");
  const [program, ...options] = cliCommand;
  const child = startChild([program, "--import", listModules, ...options, ...args], cwd, {
    ...env,
    LOADED_MODULES: list,
  });
  const status = await child.ended;
  if (status !== expectedStatus) throw new Error(`status ${status}: ${child.output.stderr}`);
  const urls = (await readFile(list, "utf8")).split("\n").filter((url) => url.startsWith("file:"));
  const files = urls.filter((url) => url.startsWith(ownPackages) && !url.includes("/node_modules/"));
  const names = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  return { files: files.map((url) => url.slice(ownPackages.length)), packages: new Set(names) };
}

/** The packages that only one VM, or only Move and Wasm, need. */
const needed = { evm: ["viem"], move: ["cosmjs-types"], wasm: ["cosmjs-types"] } as const;
const others =
  /^(?:@initia\/|@cosmjs\/|better-sqlite3|@duckdb\/|hardhat|@nomicfoundation\/|prom-client|kysely|hono|@ledgerhq\/)/;

test.each(["--help", "--version"])("vipscore %s loads commander and no command", async (line) => {
  const { files, packages } = await modulesOf(line.split(" "), 0);
  expect([...packages].sort()).toEqual(["@noble/hashes", "@scure/base", "commander"]);
  // Core's main entry has the push engine.
  expect(files.filter((file) => /^core\/src\/index\.ts$|^cli\/src\/commands\/|^(?!cli\/|core\/)/.test(file))).toEqual(
    [],
  );
  expect(files.length).toBeLessThan(60);
});

test.each([
  ["push --help", ["push"]],
  // Both open the indexer as its own command does.
  ["node --help", ["node", "indexer"]],
  ["score --help", ["score", "indexer"]],
  ["complete -- push --st", ["complete", "push"]],
])("vipscore %s loads no command but %j, no VM or heavy package", async (line, commands) => {
  const { files, packages } = await modulesOf(line.split(" "), 0);
  const folders = files.flatMap((file) => /^cli\/src\/commands\/(\w+)/.exec(file)?.[1] ?? []);
  expect(new Set(folders)).toEqual(new Set(commands));
  expect(files.filter((file) => /^(?:evm|move|wasm|localnet|policy)\//.test(file))).toEqual([]);
  expect([...packages].filter((used) => others.test(used))).toEqual([]);
});

test.each(["evm", "move", "wasm"] as const)("status on %s loads that VM and its chain library only", async (vm) => {
  // A variable that shows the protocol: otherwise Move's endpoint is asked before the VM is loaded.
  const variable = { evm: "JSON_RPC_URL", move: "REST_URL", wasm: "RPC_NODE_URL" }[vm];
  const args = ["status", "--vm", vm, "--contract", contract];
  const { files, packages } = await modulesOf(args, 4, { [variable]: endpoint });
  const vms = ["evm", "move", "wasm"].filter((name) => files.some((file) => file.startsWith(`${name}/`)));
  expect(vms).toEqual([vm]);
  expect([...packages].filter((name) => ["viem", "cosmjs-types"].includes(name))).toEqual(needed[vm]);
  expect([...packages].filter((name) => others.test(name))).toEqual([]);
});
