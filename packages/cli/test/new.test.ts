import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { runCli } from "./harness.ts";

// The rehearsal of a release builds, tests and deploys what is copied.

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

const read = (path: string) => readFile(join(cwd, path), "utf8");

test.each([
  ["evm", "contracts/Arena.sol", ["package.json", '"@vipscore/contracts-evm": "0.']],
  ["wasm", "src/lib.rs", ["Cargo.toml", 'path = "node_modules/@vipscore/contracts-wasm"']],
  ["move", "sources/arena.move", ["Move.toml", 'local = "node_modules/@vipscore/contracts-move"']],
])("new %s copies the example, which names the package of the contract", async (vm, source, [file = "", text]) => {
  const result = await runCli(["new", vm, "some/game", "--json"], cwd);
  expect(result.json()).toMatchObject({
    command: "new",
    what: vm,
    folder: "some/game",
    package: `@vipscore/contracts-${vm}`,
  });
  expect(result.status).toBe(0);
  expect(await read(join("some/game", source))).toMatch(/\bwin\b/);
  expect(await read(join("some/game", file))).toContain(text);
  const manifest = JSON.parse(await read("some/game/package.json")) as { readonly dependencies: object };
  expect(manifest.dependencies).toMatchObject({
    [`@vipscore/contracts-${vm}`]: expect.stringMatching(/^\d/) as string,
  });
  // The project has its own name, and no remark that is for the checkout.
  expect(await read(join("some/game", file))).not.toMatch(/# In\b/);
  expect(await read("some/game/package.json")).toMatch(/"name": "game"/);
  const readme = await read("some/game/README.md");
  expect(readme).toMatch(/^# game\n/);
  const [enter, install, ...commands] = result.json()["next"] as readonly string[];
  expect([enter, install]).toEqual([expect.stringMatching(/^cd /), "npm install"]);
  for (const command of commands) expect(readme).toContain(`\n${command}\n`);
  for (const [, script = ""] of readme.matchAll(/npm run ([\w:]+)/g)) {
    expect(manifest).toHaveProperty(["scripts", script]);
  }
  expect(await read("some/game/.gitignore")).toContain("node_modules\n");
  // What a checkout builds beside the sources is not part of the example.
  expect(await readdir(join(cwd, "some/game"))).not.toContain("artifacts");
});

test("new page copies a page, whose README has the commands that it prints", async () => {
  const result = await runCli(["new", "page", "scores", "--json"], cwd);
  expect(result.json()).toMatchObject({ command: "new", what: "page", package: "@vipscore/cli" });
  const manifest = await read("scores/package.json");
  expect(manifest).toMatch(/"name": "scores"/);
  expect(manifest.match(/"@vipscore\/[\w-]+": "(?!\d)/g)).toBe(null);
  const readme = await read("scores/README.md");
  expect(readme).toMatch(/^# scores\n/);
  const [enter, ...commands] = result.json()["next"] as readonly string[];
  expect(enter).toBe("cd scores");
  for (const command of commands) expect(readme.replaceAll(/;.*/g, "")).toContain(`\n${command}\n`);
  for (const [, script = ""] of readme.matchAll(/npm run ([\w:]+)/g)) expect(manifest).toContain(`"${script}": "`);
  // What it needs besides the packages, as the repository has it.
  const own = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as object;
  for (const name of ["viem", "playwright-core"]) {
    const version = new RegExp(`"${name}": "([^"]+)"`);
    expect(version.exec(manifest)?.[1]).toBe(version.exec(JSON.stringify(own, undefined, 1))?.[1] ?? "none");
  }
});

test("the commands to copy quote the folder", async () => {
  const { stdout } = await runCli(["new", "evm", "my;it's"], cwd);
  expect(stdout).toContain(`$ cd 'my;it'\\''s'\n`);
});

test("a Rust project checks its release build for overflows, as Cargo reads its manifest", async () => {
  await runCli(["new", "wasm", "game"], cwd);
  const manifest = await read("game/Cargo.toml");
  expect(manifest).toMatch(/^name = "game"$/m);
  expect(manifest).toMatch(/^\[profile\.release\]\n(?:.+\n)*overflow-checks = true$/m);
});

test("refuses a folder that is not empty, and a file, and changes neither", async () => {
  await mkdir(join(cwd, "mine"));
  await writeFile(join(cwd, "mine/notes.txt"), "mine");
  for (const folder of ["mine", "mine/notes.txt"]) {
    const refused = await runCli(["new", "evm", folder, "--json"], cwd);
    expect(refused.json()).toMatchObject({ error: { code: "FILE_UNWRITABLE" } });
    expect(refused.status).toBe(2);
  }
  expect(await readdir(join(cwd, "mine"))).toEqual(["notes.txt"]);
});

test("leaves nothing of a copy that fails midway", async () => {
  // As long as a path may be on Linux, but for 20 characters: package.json fits, contracts/CappedScores.sol does not.
  const folder = `${"a".repeat(200)}/`.repeat(21).slice(0, 4_095 - 21 - join(cwd, "/").length);
  const fail = async () => {
    const failed = await runCli(["new", "evm", folder, "--json"], cwd);
    expect(failed.json()).toMatchObject({ error: { code: "FILE_UNWRITABLE" } });
  };
  await fail();
  expect(await readdir(cwd)).toEqual([]);
  await mkdir(join(cwd, folder), { recursive: true });
  await fail();
  expect(await readdir(join(cwd, folder))).toEqual([]);
});

test("takes an empty folder, and refuses another VM", async () => {
  await mkdir(join(cwd, "empty"));
  expect((await runCli(["new", "move", "empty"], cwd)).status).toBe(0);
  expect((await runCli(["new", "solana", "other"], cwd)).status).toBe(2);
});
