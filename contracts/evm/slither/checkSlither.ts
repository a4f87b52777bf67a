import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pythonEnvironment } from "@vipscore/testkit/pythonEnvironment";

/**
 * Runs Slither on the contracts and exits with status 1 if it has a finding that no comment in the source silences. The first
 * run installs the version in requirements.txt into a separate environment. Needs Python 3.
 */
const folder = import.meta.dirname;
const project = join(folder, "..");
const programs = await pythonEnvironment(join(project, "cache/slither"), join(folder, "requirements.txt"));

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: project, stdio: "inherit" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ended with status ${status}`);
}

const sources = Object.fromEntries(
  await Promise.all(
    (await readdir(join(project, "src"), { recursive: true }))
      .filter((name) => name.endsWith(".sol"))
      .map(async (name) => [`src/${name}`, { content: await readFile(join(project, "src", name), "utf8") }] as const),
  ),
);
const remappings = ["@openzeppelin/=../../node_modules/@openzeppelin/"];
const input = { language: "Solidity", sources, settings: { evmVersion: "cancun", remappings } };
const temporary = await mkdtemp(join(tmpdir(), "slither-"));
try {
  const file = join(temporary, "input.json");
  await writeFile(file, JSON.stringify(input));
  const compiler = ["--compile-force-framework", "Solc-json", "--solc", join(folder, "solc.mjs")];
  run(join(programs, "slither"), [file, ...compiler, "--filter-paths", "node_modules", "--fail-low"]);
} finally {
  await rm(temporary, { recursive: true });
}
