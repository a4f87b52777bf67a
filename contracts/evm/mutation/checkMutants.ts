import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { mutateLine } from "./mutateLine.ts";

/**
 * Changes the contract in one place at a time and runs the tests on it: `checkMutants [--count 30] [--seed 1]`. A mutant that
 * passes shows untested behavior and is printed with its location; then the exit status is 1. Mutants are chosen at random
 * (`--count all` tests all of them, which takes a night).
 */
const project = join(import.meta.dirname, "..");
const copy = join(project, "cache/mutants");
/** The tests most likely to notice a change of a file, which run first, and the others. */
const likely: Readonly<Record<string, readonly string[]>> = {
  "PackedWriter.sol": ["packed"],
  "Roles.sol": ["members"],
  "ScorePages.sol": ["pages"],
  "ScoreStorage.sol": ["scores"],
  "ScoreWriter.sol": ["scores"],
  "VipScore.sol": ["stages", "scores"],
};
const suites = ["members", "stages", "scores", "packed", "pages", "fuzz", "invariants"];

interface Mutant {
  readonly file: string;
  readonly row: number;
  readonly what: string;
  readonly source: string;
}

async function listMutants(): Promise<readonly Mutant[]> {
  const mutants: Mutant[] = [];
  const files = (await readdir(join(project, "src"))).filter((name) => /^(?!I[A-Z]).*\.sol$/.test(name));
  for (const file of files.sort()) {
    const lines = (await readFile(join(project, "src", file), "utf8")).split("\n");
    for (const [row, line] of lines.entries()) {
      for (const { what, line: mutated } of mutateLine(line))
        mutants.push({ file, row: row + 1, what, source: lines.with(row, mutated).join("\n") });
    }
  }
  return mutants;
}

/** A copy of the project whose compiler optimizes less, which takes a third of the time. */
async function copyProject(): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  await mkdir(join(copy, "src"), { recursive: true });
  await cp(join(project, "test"), join(copy, "test"), { recursive: true });
  for (const fixture of ["ReferenceShape.sol", "DemoNft.sol"]) await rm(join(copy, "test", fixture));
  for (const name of ["package.json", "vitest.config.ts"]) await cp(join(project, name), join(copy, name));
  const config = await readFile(join(project, "hardhat.config.ts"), "utf8");
  const quick = 'optimizer: { enabled: true, runs: 1, details: { yul: true, yulDetails: { optimizerSteps: "u" } } }';
  await writeFile(join(copy, "hardhat.config.ts"), config.replace(/optimizer: \{.*\}/, quick));
  for (const name of await readdir(join(project, "src")))
    if (name.endsWith(".sol")) await cp(join(project, "src", name), join(copy, "src", name));
}

/** Whether the tests notice; undefined when the contract does not compile. */
function isNoticed(chosen: readonly string[]): boolean | undefined {
  const files = chosen.map((name) => `test/${name}.test.ts`);
  const { status, stdout, stderr } = spawnSync("vitest", ["run", "--bail=1", ...files], {
    cwd: copy,
    env: { ...process.env, FUZZ_SEED: "1" },
    encoding: "utf8",
  });
  if (/Compilation failed|CompilerError|ParserError|TypeError: .*\n.*--> /.test(stdout + stderr)) return undefined;
  return status !== 0;
}

const { values } = parseArgs({
  options: { count: { type: "string", default: "30" }, seed: { type: "string", default: "1" } },
});
const all = [...(await listMutants())];
const random = seededRandom(Number(values.seed));
const chosen: Mutant[] = [];
const count = values.count === "all" ? all.length : Math.min(Number(values.count), all.length);
while (chosen.length < count) chosen.push(...all.splice(random.below(all.length), 1));
console.log(`${count} of ${count + all.length} mutants, seed ${values.seed}`);

await copyProject();
if (isNoticed(suites) !== false) throw new Error("the tests fail on the unchanged contract");
const tally = { killed: 0, survived: 0, invalid: 0 };
for (const { file, row, what, source } of chosen) {
  const original = await readFile(join(project, "src", file), "utf8");
  await writeFile(join(copy, "src", file), source);
  const first = likely[file] ?? [];
  let isKilled = isNoticed(first);
  if (isKilled === false) isKilled = isNoticed(suites.filter((name) => !first.includes(name)));
  const outcome = isKilled === undefined ? "invalid" : isKilled ? "killed" : "survived";
  tally[outcome] += 1;
  console.log(`${outcome}: ${file}:${row} ${what}`);
  await writeFile(join(copy, "src", file), original);
}
console.log(`${tally.killed} killed, ${tally.survived} survived, ${tally.invalid} did not compile`);
await rm(copy, { recursive: true });
process.exitCode = tally.survived === 0 ? 0 : 1;
