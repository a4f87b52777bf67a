import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildModule, repository, scoringContract } from "./buildModule.ts";
import { readToolchain } from "./compileContract.ts";

/**
 * Puts the faults that cargo-mutants planted and the contract's own tests missed under the conformance scenarios, one at a
 * time: `contracts/wasm/mutation/mutants.sh` calls this. Changes the sources of the contract while it runs. Lists the faults that no
 * scenario notices in `mutants.out/survived.txt`; then the exit status is 2.
 */
const results = join(scoringContract.folder, "mutants.out");

/** A fault as cargo-mutants reports it in `outcomes.json`. */
interface Outcome {
  readonly summary: string;
  readonly scenario: "Baseline" | { readonly Mutant: { readonly name: string } };
  /** A patch, relative to the results. */
  readonly diff_path: string | null;
}

async function readMissed(): Promise<readonly { readonly name: string; readonly patch: string }[]> {
  const text = await readFile(join(results, "outcomes.json"), "utf8");
  const { outcomes } = JSON.parse(text) as { readonly outcomes: readonly Outcome[] };
  return outcomes.flatMap(({ summary, scenario, diff_path: path }) =>
    summary === "MissedMutant" && scenario !== "Baseline" && path !== null
      ? [{ name: scenario.Mutant.name, patch: join(results, path) }]
      : [],
  );
}

/** Applies a patch to the contract's sources, or takes it back. */
function patchSources(patch: string, ...options: readonly string[]): void {
  const args = ["apply", "--directory", "contracts/wasm", ...options, patch];
  const { status, stderr } = spawnSync("git", args, { cwd: repository, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
}

/** True if a scenario fails on the contract as its sources are now. */
async function isNoticed(): Promise<boolean> {
  const artifact = join(results, "mutant.wasm");
  await writeFile(artifact, await buildModule(scoringContract, toolchain));
  const { status } = spawnSync("npx", ["vitest", "run", "--bail=1", "wasm"], {
    cwd: join(repository, "packages", "conformance"),
    env: { ...process.env, VIPSCORE_CONFORMANCE_ARTIFACT: artifact },
    stdio: "ignore",
  });
  return status !== 0;
}

const toolchain = await readToolchain();
const missed = await readMissed();
if (missed.length > 0 && (await isNoticed())) throw new Error("scenarios fail on the unchanged contract");
const survived: string[] = [];
for (const { name, patch } of missed) {
  patchSources(patch);
  let isKilled: boolean;
  try {
    isKilled = await isNoticed();
  } finally {
    patchSources(patch, "--reverse");
  }
  console.log(`${isKilled ? "noticed by a scenario" : "survived"}: ${name}`);
  if (!isKilled) survived.push(name);
}
await writeFile(join(results, "survived.txt"), survived.map((name) => `${name}\n`).join(""));
console.log(`scenarios noticed ${missed.length - survived.length} of ${missed.length} missed faults`);
process.exitCode = survived.length === 0 ? 0 : 2;
