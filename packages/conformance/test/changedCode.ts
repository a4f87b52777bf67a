import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import binaryen from "binaryen";
import type { Abi } from "viem";
import { prepareVipnodes } from "@vipscore/localnet";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { publishedCode, readContractCode, type ContractCode } from "../src/index.ts";

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** A change of one file of a contract's sources: each text occurs there, and is replaced everywhere. */
export interface Change {
  readonly file: string;
  readonly edits: readonly (readonly [text: string, by: string])[];
}

export function folderOf(name: "evm" | "move" | "wasm"): string {
  return dirname(require.resolve(`@vipscore/contracts-${name}/package.json`));
}

function changed(source: string, { file, edits }: Change): string {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
    return text.replaceAll(from, to);
  }, source);
}

interface Compiled {
  readonly contracts: Readonly<
    Record<string, Readonly<Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>>
  >;
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
}

/** Compiles a contract of contracts/evm with changes, with an optimizer that takes a third of the time. */
export async function compileEvm(path: string, changes: readonly Change[]): Promise<ContractCode> {
  const folder = folderOf("evm");
  const fromContracts = createRequire(join(folder, "package.json"));
  const { compile } = fromContracts("solc") as {
    compile: (input: string, callbacks: { import: (path: string) => { contents: string } }) => string;
  };
  const names = (await readdir(join(folder, "src"))).filter((name) => name.endsWith(".sol"));
  const files = [...new Set([path, ...names.map((name) => `src/${name}`)])];
  const sources = Object.fromEntries(
    files.map((file) => {
      const change = changes.find((one) => join("src", one.file) === file);
      const source = readFileSync(join(folder, file), "utf8");
      return [file, { content: change === undefined ? source : changed(source, change) }];
    }),
  );
  const settings = {
    viaIR: true,
    evmVersion: "cancun",
    optimizer: { enabled: true, runs: 1, details: { yul: true, yulDetails: { optimizerSteps: "u" } } },
    outputSelection: { [path]: { "*": ["abi", "evm.bytecode.object"] } },
  };
  const output = compile(JSON.stringify({ language: "Solidity", sources, settings }), {
    import: (name) => ({ contents: readFileSync(fromContracts.resolve(name), "utf8") }),
  });
  const { contracts, errors = [] } = JSON.parse(output) as Compiled;
  const faults = errors.filter(({ severity }) => severity === "error").map((error) => error.formattedMessage);
  const [contract] = Object.values(contracts?.[path] ?? {});
  if (contract === undefined || faults.length > 0) throw new Error(`${path} does not compile: ${faults.join("\n")}`);
  return { vm: "evm", abi: contract.abi, bytes: Buffer.from(contract.evm.bytecode.object, "hex") };
}

/** Builds a Move package of contracts/move, at `path` from there, with changes of its module and with other modules. */
export function compileMove(
  path: string,
  edits: Change["edits"],
  others: Readonly<Record<string, string>> = {},
): Promise<ContractCode> {
  return buildMove(path, async (copy) => {
    const file = join(copy, "sources/vip_score.move");
    await writeFile(file, changed(await readFile(file, "utf8"), { file, edits }));
    for (const [name, source] of Object.entries(others)) await writeFile(join(copy, "sources", name), source);
  });
}

/** Builds the Move package of contracts/move with a patch, at `path` from there. */
export function compileMoveFork(path: string): Promise<ContractCode> {
  return buildMove("", async (copy) => {
    await run("git", ["apply", join(folderOf("move"), path)], { cwd: copy });
  });
}

async function buildMove(path: string, change: (copy: string) => Promise<void>): Promise<ContractCode> {
  const [vipnode = ""] = await prepareVipnodes({ vms: ["move"] });
  const scratch = temporaryFolder();
  for (const part of ["Move.toml", "sources"]) {
    await cp(join(folderOf("move"), path, part), join(scratch, part), { recursive: true });
  }
  await change(scratch);
  await run(vipnode, ["build", scratch, "--named-address", "vip_score=0xfedcba9876543210"], { cwd: scratch });
  return readContractCode(scratch);
}

/** The published Wasm module with other names of the same length in its data. */
export async function renameInWasm(from: string, to: string): Promise<ContractCode> {
  const { bytes, ...code } = await publishedCode("wasm");
  const text = bytes.toString("latin1");
  if (!text.includes(from) || from.length !== to.length) throw new Error(`${from} cannot become ${to}`);
  return { ...code, bytes: Buffer.from(text.replaceAll(from, to), "latin1") };
}

/** The published Wasm module, which traps on a message that ends with these eight bytes. */
export async function trapInWasm(end: string): Promise<ContractCode> {
  const { bytes, ...code } = await publishedCode("wasm");
  const module = binaryen.readBinary(bytes);
  const { i32, i64 } = module;
  // The regions of environment, sender and message; a region is its offset, its capacity and its length. An expression has one place.
  const local = (index: number) => module.local.get(index, binaryen.i32);
  const last = i32.sub(i32.add(i32.load(0, 4, local(2)), i32.load(8, 4, local(2))), i32.const(8));
  const isEnd = i64.eq(i64.load(0, 1, last), i64.const(Buffer.from(end).readBigUInt64LE()));
  const execute = binaryen.getExportInfo(module.getExport("execute")).value;
  const call = module.call(execute, [local(0), local(1), local(2)], binaryen.i32);
  const body = module.block(null, [module.if(isEnd, module.unreachable()), call], binaryen.i32);
  const parameters = binaryen.createType([binaryen.i32, binaryen.i32, binaryen.i32]);
  module.addFunction("changed", parameters, binaryen.i32, [], body);
  module.removeExport("execute");
  module.addFunctionExport("changed", "execute");
  try {
    return { ...code, bytes: Buffer.from(module.emitBinary()) };
  } finally {
    module.dispose();
  }
}
