import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cw721Fixture, referenceShape, repository, scoringContract } from "./buildModule.ts";

const run = promisify(execFile);

/** 2.2.2, the version of a rollup's wasmvm, does not link with Rust 1.95: its wasmer needs a symbol that no longer exists. */
const version = "3.0.10";

/** A rollup's capabilities: no staking, nothing newer than wasmvm 2.2. */
const capabilities =
  "iterator,stargate,cosmwasm_1_1,cosmwasm_1_2,cosmwasm_1_3,cosmwasm_1_4,cosmwasm_2_0,cosmwasm_2_1,cosmwasm_2_2";

/**
 * Checks the committed modules with `cosmwasm-check`, which makes the same checks as a chain before it stores a contract: imports, exports,
 * capabilities, memory, table, functions, instructions. If it is missing, installs it with cargo 1.95 or newer, which takes minutes.
 */
const root = join(repository, "packages", "wasm", ".build", `cosmwasm-check-${version}`);
const program = join(root, "bin", "cosmwasm-check");

async function install(): Promise<void> {
  const isThere = await access(program).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  console.log(`installing cosmwasm-check ${version}: takes minutes the first time`);
  await run("cargo", ["install", "cosmwasm-check", "--version", `=${version}`, "--locked", "--debug", "--root", root]);
}

try {
  await install();
  const modules = [scoringContract, referenceShape, cw721Fixture].map(({ artifacts, name }) =>
    join(artifacts, `${name}.wasm`),
  );
  const { stdout } = await run(program, ["--available-capabilities", capabilities, ...modules]);
  console.log(stdout.trim());
} catch (error) {
  const { stdout = "", message = String(error) } = error as { readonly stdout?: string; readonly message?: string };
  console.error(stdout === "" ? message : stdout.trim());
  process.exitCode = 1;
}
