import { execFile } from "node:child_process";
import { chown, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { cliCommand, startChild, startCli } from "./childCli.ts";
import { runCli } from "./harness.ts";
import { hostileFiles } from "./hostileFiles.ts";
import { obeyed } from "./obeyed.ts";

let cwd: string;
beforeEach(async () => {
  cwd = temporaryFolder();
  // As in a real process, so that messages show file names as given.
  process.chdir(cwd);
});

/** An endpoint that does not answer: a file is read before the first request. */
const elsewhere = [
  "--stage",
  "1",
  "--vm",
  "evm",
  "--endpoint",
  "http://127.0.0.1:9",
  "--contract",
  `0x${"c1".repeat(20)}`,
];

interface Refusal {
  readonly issues: readonly { readonly reason: string; readonly row?: number }[];
}

test.each(hostileFiles)("$title", async ({ name, content, issues }) => {
  await writeFile(join(cwd, name), content);
  const json = await runCli(["push", name, ...elsewhere, "--json"], cwd);
  expect(json.json()["error"]).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
  const found = (json.json()["error"] as unknown as Refusal).issues;
  expect(found.map(({ reason, row }) => (row === undefined ? [reason] : [reason, row]))).toEqual(issues);
  const people = await runCli(["push", name, ...elsewhere], cwd);
  for (const { status, stdout, stderr } of [json, people]) {
    expect(status).toBe(2);
    expect(stdout + stderr).not.toMatch(obeyed);
    expect(stdout + stderr).not.toContain("\t");
    for (const [, row] of issues) if (row !== undefined) expect(stderr).toContain(`${name}:${row}  `);
  }
  expect(people.stdout).toBe("");
  expect(people.stderr).toContain("[INPUT_INVALID, exit 2]");
  expect(await readdir(cwd)).toEqual([name]);
});

test("the same in a separate process, for each reader", async () => {
  const chosen = ["scores.csv: a byte that is not UTF-8", "scores.json: 100,000 open brackets"];
  const files = hostileFiles.filter(({ title }) => chosen.includes(title));
  expect(files).toHaveLength(chosen.length);
  for (const { name, content } of files) {
    await writeFile(join(cwd, name), content);
    const child = startCli(["push", name, ...elsewhere], cwd);
    expect(await child.ended).toBe(2);
    expect(child.output.stderr).toContain("[INPUT_INVALID, exit 2]");
    expect(child.output.stderr).not.toMatch(obeyed);
    expect(child.output.stderr).not.toContain("\t");
  }
});

test.each([
  ["settings file", "CONFIG_INVALID", ["status", "--config", "deep.json", "--stage", "1"]],
  ["keystore", "KEY_INVALID", ["status", "--keystore", "deep.json", ...elsewhere]],
])("brackets 100,000 deep in a %s: a code, and nothing is left", async (_name, code, args) => {
  for (const text of ["[".repeat(100_000), `{"vm":${"[".repeat(100_000)}${"]".repeat(100_000)}}`]) {
    await writeFile(join(cwd, "deep.json"), text);
    const result = await runCli([...args, "--json"], cwd);
    expect(result.json()["error"]).toMatchObject({ code, exit: 2 });
  }
  expect(await readdir(cwd)).toEqual(["deep.json"]);
});

test.each([
  ["a link", ".vipscore/data/0123456789abcdef/rows", (target: string, path: string) => symlink(target, path)],
  ["the folder itself, which is a link", ".vipscore", (target: string, path: string) => symlink(target, path)],
  [
    "a link to a file",
    ".vipscore/deployments.json",
    (target: string, path: string) => symlink(join(target, "key"), path),
  ],
  ["a pipe", ".vipscore/node.json", (_: string, path: string) => promisify(execFile)("mkfifo", [path])],
] as const)("%s at %s is refused by every command, and nothing is written where it leads", async (_, path, make) => {
  const target = temporaryFolder();
  await writeFile(join(target, "key"), "private");
  await mkdir(dirname(join(cwd, path)), { recursive: true });
  await make(target, join(cwd, path));
  for (const args of [["status"], ["deploy", "--init-stage", "1"], ["score", "run", "policy", "--stage", "1"]]) {
    const result = await runCli([...args, "--json"], cwd);
    expect(result.json()["error"]).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
    expect(result.stderr).toContain(path);
  }
  expect(await readdir(target)).toEqual(["key"]);
  expect(await readFile(join(target, "key"), "utf8")).toBe("private");
});

test("what another user owns below .vipscore is refused", async () => {
  const path = join(cwd, ".vipscore", "data");
  await mkdir(path, { recursive: true });
  const command = [...cliCommand, "status", "--json"];
  // Without the rights of root, only a folder of root can be put there: in a user namespace, root is another user.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(path, 12_345, 12_345);
  const mounted = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"];
  const child = startChild(isRoot ? command : [...mounted, `mount --bind /etc ${path} && "$@"`, "sh", ...command], cwd);
  expect(await child.ended).toBe(2);
  expect(child.output.stderr).toContain(".vipscore/data");
  expect(JSON.parse(child.output.stdout)).toMatchObject({ error: { code: "INPUT_INVALID" } });
});
