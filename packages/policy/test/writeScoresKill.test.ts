import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { createManifest, openSources, readPolicy, runPolicy, writeScores } from "../src/index.ts";
import { openPolicyFolder } from "./policyFolder.ts";

const program = fileURLToPath(new URL("writeScoresUntil.ts", import.meta.url));
const files = ["scores.csv", "scores.manifest.json"];

/** Writes scores as in a folder, in a process that kills itself before a call. Returns whether it was killed. */
function writeUntil(call: number, folder: string, cwd: string): boolean {
  const given = files.map((name) => join(folder, name));
  const command = ["--conditions=@vipscore/source", program, ...given, `${call}`];
  const { status, signal, stderr } = spawnSync(process.execPath, command, { cwd, encoding: "utf8" });
  if (signal === "SIGKILL") return true;
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return false;
}

test("a kill before any call leaves both files or no scores, and the next run writes both", async () => {
  await using policyFolder = await openPolicyFolder();
  const folder = join(policyFolder.path, "out");
  await mkdir(folder);
  const policy = await readPolicy(policyFolder.path);
  const result = await runPolicy(policy, openSources(policy));
  const options = { stage: stage(1n), chain: undefined, file: "scores.csv", vipscore: "0.1.0" };
  await writeScores(join(folder, "scores.csv"), "scores.csv", result.table, createManifest(policy, result, options));
  const expected = await contentsOf(folder);

  let kills = 0;
  for (let isKilled = true; isKilled;) {
    const cwd = join(folder, `${kills}`);
    await mkdir(cwd);
    isKilled = writeUntil(kills, folder, cwd);
    if (isKilled) {
      kills += 1;
      const left = await readdir(cwd);
      if (left.includes("scores.csv")) expect(left.toSorted()).toEqual(files);
      else {
        writeUntil(Infinity, folder, cwd);
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
