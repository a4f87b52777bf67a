import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { mutateLine } from "./mutateLine.ts";

/**
 * Changes the contract in one place at a time and runs its tests, the conformance scenarios, and the random tests on it, until one
 * notices: `checkMutants [--count 30] [--seed 1]`. A mutant that none notices shows untested behavior and is printed with its
 * location; then the exit status is 1. Mutants are chosen at random (`--count all` tests all of them, which takes a night).
 */
const project = join(import.meta.dirname, "..");
const copy = join(project, "cache/mutants");
const conformance = join(project, "../../packages/conformance");
/** The tests most likely to notice a change of a file, which run first. */
const likely: Readonly<Record<string, readonly string[]>> = {
  "PackedWriter.sol": ["packed"],
  "Roles.sol": ["errors", "events", "members"],
  "RowHooks.sol": ["rowHooks"],
  "ScorePages.sol": ["pages"],
  "RowWriter.sol": ["accounts"],
  "Stage.sol": ["accounts"],
  "VipScore.sol": ["errors", "events"],
};
/** The contract's own tests, of which the files for other contracts and for the interface are left out. */
const suites = ["accounts", "errors", "events", "members", "packed", "pages", "rowHooks"];
const searches = ["children", "fuzz", "invariants"];

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
  for (const name of ["package.json", "vitest.config.ts"]) await cp(join(project, name), join(copy, name));
  const config = await readFile(join(project, "hardhat.config.ts"), "utf8");
  const quick = 'optimizer: { enabled: true, runs: 1, details: { yul: true, yulDetails: { optimizerSteps: "u" } } }';
  const smaller = config
    .replace(/optimizer: \{.*\}/, quick)
    .replace('["src", "examples/contracts", "fixtures"]', '"src"');
  await writeFile(join(copy, "hardhat.config.ts"), smaller);
  for (const name of await readdir(join(project, "src")))
    if (name.endsWith(".sol")) await cp(join(project, "src", name), join(copy, "src", name));
}

function runVitest(cwd: string, arguments_: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync("vitest", ["run", "--bail=1", "--reporter=default", ...arguments_], {
    cwd,
    // Nx has not built the copy.
    env: { ...process.env, NX_TASK_TARGET_PROJECT: undefined, FUZZ_SEED: "1", ...environment },
    encoding: "utf8",
  });
  return { isPassed: status === 0, output: stdout + stderr };
}

/** Whether tests of the contract notice; undefined if it does not compile. */
function isNoticed(names: readonly string[]): boolean | undefined {
  const files = names.map((name) => `test/${searches.includes(name) ? "search/" : ""}${name}.test.ts`);
  const { isPassed, output } = runVitest(copy, files);
  if (/Compilation failed|CompilerError|ParserError|TypeError: .*\n.*--> /.test(output)) return undefined;
  return !isPassed;
}

/** Whether the scenarios of packages/conformance notice, without those of the client, whose gas limits need the optimizer. */
function isNoticedByConformance(): boolean {
  const artifact = join(copy, "artifacts/src/VipScore.sol/VipScore.json");
  const scenarios = ["test/evm.test.ts", "--testNamePattern", "^(?!.* client[.])"];
  return !runVitest(conformance, scenarios, { VIPSCORE_CONFORMANCE_ARTIFACT: artifact }).isPassed;
}

type Verdict = "did not compile" | "killed by a test" | "killed by conformance" | "killed by search" | "SURVIVED";

function judge(first: readonly string[]): Verdict {
  for (const names of [first, suites.filter((name) => !first.includes(name))]) {
    if (names.length === 0) continue;
    const noticed = isNoticed(names);
    if (noticed === undefined) return "did not compile";
    if (noticed) return "killed by a test";
  }
  if (isNoticedByConformance()) return "killed by conformance";
  return isNoticed(searches) === false ? "SURVIVED" : "killed by search";
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
const unchanged = judge([]);
if (unchanged !== "SURVIVED") throw new Error(`the unchanged contract: ${unchanged}`);
const tally = new Map<Verdict, number>();
for (const { file, row, what, source } of chosen) {
  const original = await readFile(join(project, "src", file), "utf8");
  await writeFile(join(copy, "src", file), source);
  const verdict = judge(likely[file] ?? []);
  tally.set(verdict, (tally.get(verdict) ?? 0) + 1);
  console.log(`${verdict}: ${file}:${row} ${what}`);
  await writeFile(join(copy, "src", file), original);
}
console.log([...tally].map(([verdict, number]) => `${number} ${verdict}`).join(", "));
await rm(copy, { recursive: true });
process.exitCode = tally.has("SURVIVED") ? 1 : 0;
