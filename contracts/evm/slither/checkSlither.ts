import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs Slither on the contracts and exits with status 1 if it has a finding that no comment in the source silences. The first
 * run installs the version in requirements.txt into a separate environment. Needs Python 3.
 */
const folder = import.meta.dirname;
const project = join(folder, "..");
const environment = join(project, "cache/slither");
const requirements = await readFile(join(folder, "requirements.txt"), "utf8");
const installed = join(environment, "requirements.txt");

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: project, stdio: "inherit" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ended with status ${status}`);
}

if (!existsSync(installed) || (await readFile(installed, "utf8")) !== requirements) {
  await rm(environment, { recursive: true, force: true });
  run("python3", ["-m", "venv", environment]);
  run(join(environment, "bin/pip"), ["install", "--quiet", "--requirement", join(folder, "requirements.txt")]);
  await writeFile(installed, requirements);
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
  run(join(environment, "bin/slither"), [file, ...compiler, "--filter-paths", "node_modules", "--fail-low"]);
} finally {
  await rm(temporary, { recursive: true });
}
