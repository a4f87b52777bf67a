import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { startCli } from "./childCli.ts";
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
