import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { killChildren, startChild } from "./childCli.ts";
import { csvOf, runCli } from "./harness.ts";

const program = fileURLToPath(new URL("writeScoresUntil.ts", import.meta.url));
const files = ["scores.csv", "scores.manifest.json"];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vipscore-write-"));
});
afterEach(async () => {
  await killChildren();
  await rm(folder, { recursive: true, force: true });
});

/** Writes scores and their manifest in a process that kills itself before a call. Returns whether it was killed. */
async function writeUntil(call: number, cwd: string): Promise<boolean> {
  const command = [process.execPath, "--conditions=@vipscore/source", program];
  const written = files.map((name) => join(folder, name));
  const child = startChild([...command, ...written, `${call}`], cwd);
  const status = await child.ended;
  if (child.process.signalCode === "SIGKILL") return true;
  expect({ status, ...child.output }).toMatchObject({ status: 0 });
  return false;
}

test("a kill before any call leaves both files or no scores, and the next run writes both", async () => {
  const source =
    '[[source]]\nname = "p"\nkind = "reference"\nfile = "p.csv"\ncolumns = { address = "address", score = "integer" }';
  const policy = {
    "policy.toml": `name = "p"\nversion = "1"\n\n[rollup]\nchain_id = "1"\n\n${source}\n`,
    "policy.sql": "select address, score from p",
    "p.csv": csvOf(5),
  };
  await mkdir(join(folder, "policy"));
  for (const [name, text] of Object.entries(policy)) await writeFile(join(folder, "policy", name), text);
  expect(await runCli(["score", "run", "policy", "--stage", "1", "--out", "scores.csv"], folder)).toMatchObject({
    status: 0,
  });
  const expected = await contentsOf(folder);

  let kills = 0;
  for (let isKilled = true; isKilled;) {
    const cwd = join(folder, `${kills}`);
    await mkdir(cwd);
    isKilled = await writeUntil(kills, cwd);
    if (isKilled) {
      kills += 1;
      const left = await readdir(cwd);
      if (left.includes("scores.csv")) expect(left.toSorted()).toEqual(files);
      else {
        await writeUntil(Infinity, cwd);
        expect(await readdir(cwd)).not.toContain("scores.csv.pending");
      }
    }
    expect(await contentsOf(cwd)).toEqual(expected);
  }
  // Both files are looked for, written aside and renamed.
  expect(kills).toBeGreaterThan(8);
});

function contentsOf(cwd: string): Promise<readonly string[]> {
  return Promise.all(files.map((name) => readFile(join(cwd, name), "utf8")));
}
