import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { folderIdentity, readNodeFile, removeNodeFile, writeNodeFile } from "../src/nodeFile.ts";
import { testAccounts } from "../src/testAccounts.ts";

const node = { vm: "evm", rpcUrl: "http://127.0.0.1:8545", chainId: "31337" } as const;
let dir: string;
const file = (): string => join(dir, ".vipscore", "node.json");

beforeEach(() => {
  dir = temporaryFolder();
});

async function place(content: object | string): Promise<void> {
  await mkdir(join(dir, ".vipscore"), { recursive: true });
  const folder = await folderIdentity(join(dir, ".vipscore"));
  const text = typeof content === "string" ? content : JSON.stringify({ folder, ...content });
  await writeFile(file(), text);
}

test("a written file is read back, and nothing else is left", async () => {
  await writeNodeFile(dir, node);
  expect(await readNodeFile(dir)).toEqual({ ...node, pid: process.pid });
  await writeNodeFile(dir, { ...node, chainId: "1" });
  expect((await readNodeFile(dir))?.chainId).toBe("1");
  expect(await readdir(join(dir, ".vipscore"))).toEqual(["node.json"]);
});

test("the node's indexer is stored, and only one on this machine", async () => {
  const indexerUrl = "http://127.0.0.1:8080";
  await writeNodeFile(dir, { ...node, indexerUrl });
  expect(await readNodeFile(dir)).toEqual({ ...node, indexerUrl, pid: process.pid });
  await place({ ...node, pid: process.pid, indexerUrl: "http://example.org:8080" });
  await expect(readNodeFile(dir)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
});

test("the file holds no key, even if a whole node is passed", async () => {
  const accounts = Object.values(testAccounts);
  await writeNodeFile(dir, { ...node, accounts } as Parameters<typeof writeNodeFile>[1]);
  const text = await readFile(file(), "utf8");
  expect(Object.keys(JSON.parse(text) as object)).toEqual(["vm", "rpcUrl", "chainId", "pid", "folder"]);
  for (const { mnemonic, privateKey } of accounts) {
    expect(text).not.toContain(mnemonic);
    expect(text).not.toContain(privateKey.slice(2));
  }
});

test("returns undefined without a file", async () => {
  expect(await readNodeFile(dir)).toBeUndefined();
  await removeNodeFile(dir);
});

test("ignores a file whose process has exited", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  await place({ ...node, pid });
  expect(await readNodeFile(dir)).toBeUndefined();
});

test("ignores a file that was written for another folder, as one in a repository is", async () => {
  await writeNodeFile(dir, node);
  const other = temporaryFolder();
  await cp(dir, other, { recursive: true });
  expect(await readdir(join(other, ".vipscore"))).toEqual(["node.json"]);
  expect(await readNodeFile(other)).toBeUndefined();
  expect(await readNodeFile(dir)).toBeDefined();
});

test("only the process that wrote the file removes it", async () => {
  await writeNodeFile(dir, node);
  await removeNodeFile(dir);
  expect(await readdir(join(dir, ".vipscore"))).toEqual([]);
  await place({ ...node, pid: process.ppid });
  await removeNodeFile(dir);
  expect((await readNodeFile(dir))?.pid).toBe(process.ppid);
  await place("damaged");
  await removeNodeFile(dir);
  expect(await readFile(file(), "utf8")).toBe("damaged");
});

test.each([
  ["not JSON", "{"],
  ["not an object", "null"],
  ["an unknown vm", { ...node, vm: "evmm", pid: 1 }],
  ["an empty chain ID", { ...node, chainId: "", pid: 1 }],
  ["another machine", { ...node, rpcUrl: "http://example.org:8545", pid: 1 }],
  ["a host that only starts like this machine", { ...node, rpcUrl: "http://127.0.0.1:1@example.org", pid: 1 }],
  ["a chain id that is a number", { ...node, chainId: 31337, pid: 1 }],
  ["no pid", node],
  ["a pid that would mean every process", { ...node, pid: -1 }],
])("a file is refused: %s", async (_, content) => {
  await place(content);
  await expect(readNodeFile(dir)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
});

test("a file that cannot be read is refused", async () => {
  await mkdir(file(), { recursive: true });
  await expect(readNodeFile(dir)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
});
