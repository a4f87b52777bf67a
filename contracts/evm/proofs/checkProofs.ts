import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { pythonEnvironment } from "@vipscore/testkit/pythonEnvironment";
import { stagePackages } from "./stagePackages.ts";
import { contracts, faults, slowStatements } from "./statements.ts";

/**
 * Has halmos prove the statements of VipScoreProofs.sol for the bytecode of the artifacts, and find a counterexample for each
 * planted fault: `checkProofs [--all] [--only statement]`. Without `--all`, the slow statements are left out. Exits with status 1
 * if a statement is not proven or a fault not found. Needs Python 3; the first run installs the version in requirements.txt.
 */
const { values } = parseArgs({ options: { all: { type: "boolean" }, only: { type: "string" } } });
const folder = import.meta.dirname;
const project = join(folder, "..");
const staged = join(folder, "cache/project");

/** A statement about a contract, and whether halmos has to find a counterexample. */
interface Job {
  readonly statement: string;
  readonly contract: string;
  readonly code: string;
  readonly fault?: number | undefined;
  readonly mayRefuse?: boolean | undefined;
  readonly isFaulty: boolean;
}

/** What halmos writes for a statement. */
interface Result {
  readonly name: string;
  /** 0: proven; 1: a counterexample; others: not decided. */
  readonly exitcode: number;
  readonly num_paths: readonly number[];
  readonly time: readonly number[];
}

interface Report {
  readonly test_results: Readonly<Record<string, readonly Result[]>>;
}

/** A project as an author has it, with all contracts that are checked. */
async function stageProject(): Promise<void> {
  await rm(staged, { recursive: true, force: true });
  await mkdir(join(staged, "test"), { recursive: true });
  await stageSkippedRow(await stagePackages(staged));
  const own = ["CheckedScores.proofs.sol", "honest/PausedScores.sol", "faults/Faults.sol", "faults/HookedFault.sol"];
  for (const name of [...own, "faults/ShiftedSlots.sol", "../examples/contracts/CappedScores.sol"])
    await cp(join(folder, name), join(staged, "test", basename(name)));
  // What is proven is the artifact's code: forge compiles the statements and the faults, for which speed matters.
  await writeFile(
    join(staged, "foundry.toml"),
    `[profile.default]
src = "test"
libs = ["node_modules"]
remappings = [
  "@vipscore/contracts-evm/=node_modules/@vipscore/contracts-evm/",
  "@openzeppelin/contracts/=node_modules/@openzeppelin/contracts/",
]
solc = "node_modules/@vipscore/contracts-evm/proofs/solc.mjs"
evm_version = "cancun"
via_ir = true
optimizer = true
optimizer_runs = 1

[profile.default.optimizer_details]
yul = true

[profile.default.optimizer_details.yulDetails]
optimizerSteps = "u"
`,
  );
}

/** A fault that no contract that inherits can have: a page that skips a row. */
async function stageSkippedRow(sources: string): Promise<void> {
  const faulty = join(sources, "faulty");
  await cp(join(sources, "src"), faulty, { recursive: true });
  const pages = join(faulty, "ScorePages.sol");
  const [right, wrong] = ["nextId = uint32(ids[size]);", "nextId = uint32(ids[size]) + 1;"];
  const source = await readFile(pages, "utf8");
  if (!source.includes(right)) throw new Error(`ScorePages.sol has no line "${right}" to plant a fault in`);
  await writeFile(pages, source.replace(right, wrong));
  await writeFile(
    join(staged, "test/SkippedRow.sol"),
    `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;
import {VipScore} from "@vipscore/contracts-evm/faulty/VipScore.sol";
contract SkippedRow is VipScore {
    constructor(uint64 initStage_) VipScore(initStage_) {}
}
`,
  );
}

/** Runs a program and returns its exit status and what it printed. */
async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number | null; readonly output: string }> {
  const child = spawn(program, args, { cwd: staged, env: { ...process.env, ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const status = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  return { status, output };
}

interface Artifact {
  readonly bytecode: string;
  readonly deployedBytecode: string;
}

async function readArtifact(file: string): Promise<Artifact> {
  const artifact: Artifact = JSON.parse(await readFile(join(project, "artifacts", file), "utf8"));
  return artifact;
}

/** What forge writes for a contract. */
interface Built {
  readonly abi: readonly { readonly name?: string }[];
  readonly bytecode: { readonly object: string };
}

async function readBuilt(name: string): Promise<Built> {
  const built: Built = JSON.parse(await readFile(join(staged, `out/${name}.sol/${name}.json`), "utf8"));
  return built;
}

/** All statements, each with the contracts that it is checked on. */
async function listJobs(): Promise<readonly Job[]> {
  const { abi } = await readBuilt("VipScoreProofs");
  const all = abi.flatMap(({ name = "" }) => (name.startsWith("check_") ? [name] : []));
  const unknown = [...slowStatements, ...faults.map(({ statement }) => statement)].filter(
    (name) => !all.includes(name),
  );
  const untested = all.filter((name) => !faults.some(({ statement }) => statement === name));
  if (unknown.length > 0) throw new Error(`VipScoreProofs.sol has no statement ${unknown.join(", ")}`);
  if (untested.length > 0) throw new Error(`no planted fault for ${untested.join(", ")}`);
  const isChosen = (name: string) =>
    values.only === undefined ? values.all === true || !slowStatements.includes(name) : name === values.only;
  const jobs: Job[] = [];
  for (const { name, artifact, mayRefuse, daily, nightly } of contracts) {
    const code =
      artifact === undefined ? (await readBuilt(name)).bytecode.object : (await readArtifact(artifact)).bytecode;
    for (const statement of (values.all === true ? nightly : daily) ?? all)
      if (isChosen(statement)) jobs.push({ statement, contract: name, code, mayRefuse, isFaulty: false });
  }
  for (const [index, { statement, contract, fault }] of faults.entries()) {
    const code = (await readBuilt(contract)).bytecode.object;
    const isFirst = faults.findIndex((each) => each.statement === statement) === index;
    if (isChosen(statement) && (isFirst || values.all === true))
      jobs.push({ statement, contract, code, fault, isFaulty: true });
  }
  return jobs;
}

/** Runs halmos on one statement. @returns Whether it is proven or, for a fault, disproven. */
async function prove(halmos: string, job: Job, index: number): Promise<boolean> {
  const file = join(staged, `result${index}.json`);
  const args = ["--contract", "CheckedScoresProofs", "--match-test", `^${job.statement}\\(`, "--no-status"];
  args.push("--solver-timeout-assertion", "900s", "--json-output", file, ...(job.isFaulty ? ["--early-exit"] : []));
  const { output } = await run(halmos, args, {
    SCORES_NAME: job.contract,
    SCORES_CODE: job.code,
    SCORES_FAULT: `${job.fault ?? 0}`,
    SCORES_MAY_REFUSE: `${job.mayRefuse ?? false}`,
  });
  // Without a file, halmos ended before it began, and its output says why.
  const report: Report = JSON.parse(await readFile(file, "utf8").catch(() => `{ "test_results": {} }`));
  const results = Object.values(report.test_results).flat();
  const [result] = results;
  // Names of two statements or none would be a fault of the filter.
  const found = results.length === 1 ? result?.exitcode : undefined;
  const isRight = found === (job.isFaulty ? 1 : 0);
  const verdict = ["proven", "counterexample"][found ?? -1] ?? "not decided";
  const paths = result?.num_paths[0] ?? 0;
  const seconds = (result?.time[0] ?? 0).toFixed(0);
  const title = `${job.contract}${job.fault === undefined ? "" : ` ${job.fault}`} ${job.statement}`;
  console.log(`${isRight ? "ok" : "WRONG"}  ${title}: ${verdict}, ${paths} paths, ${seconds} s`);
  if (!isRight) console.log(output);
  return isRight;
}

const programs = await pythonEnvironment(join(folder, "cache/python"), join(folder, "requirements.txt"));
await stageProject();
process.env["PATH"] = `${join(project, "../../node_modules/.bin")}:${programs}:${process.env["PATH"]}`;
// The same options as halmos gives, so that it has nothing to build.
const built = await run("forge", ["build", "--ast", "--extra-output", "storageLayout", "metadata"]);
if (built.status !== 0) throw new Error(built.output);
const jobs = await listJobs();
if (jobs.length === 0) throw new Error("no statement to prove");
for (const { name, artifact } of contracts) {
  if (artifact === undefined) continue;
  const { deployedBytecode } = await readArtifact(artifact);
  console.log(`${name}: sha256 ${createHash("sha256").update(deployedBytecode).digest("hex")} of the artifact's code`);
}
const waiting = [...jobs.entries()];
let wrong = 0;
const work = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [index, job] = next;
    if (!(await prove(join(programs, "halmos"), job, index))) wrong += 1;
  }
};
// One process a core of a small machine; each takes 0.3 GB.
await Promise.all([work(), work()]);
console.log(`${jobs.length - wrong} of ${jobs.length} are as they should be`);
process.exitCode = wrong === 0 ? 0 : 1;
