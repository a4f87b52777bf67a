import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { basename, posix } from "node:path";
import { InputError, readFileText } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import type { ContractCode } from "../contractCode.ts";
import type { Construction } from "./construction.ts";
import { loadSolc, type Solc, type SolcInput, type SolcOutput } from "./solc.ts";
import { rareBugOf } from "./solcBugs.ts";
import { Ast, type Contract } from "./solidityAst.ts";
import { solidityFiles } from "./solidityFiles.generated.ts";

const require = createRequire(import.meta.url);

/** The folder of the package's own files. */
const ownFolder = "@vipscore/contracts-evm/src/";

/**
 * Compiles a contract's sources, and checks what makes it safe by construction: the contract inherits `VipScore`, whose storage is
 * private; that file and all that it imports are the published ones; and no other file has what reaches private
 * storage: inline assembly, `delegatecall`, `selfdestruct`, a variable of 2^64 slots or more, a storage layout of its own.
 *
 * @param path - The build information of Hardhat or Foundry, or a plain standard JSON input of solc.
 * @throws InputError if there is nothing to check: the file is not such an input, its solc is not installed or has a known bug, or nothing in it that inherits `VipScore` compiles to the contract.
 */
export async function checkEvmSources(path: string, code: ContractCode): Promise<Construction> {
  const { input, solcVersion } = await readSolcInput(path);
  const solc = loadSolc(solcVersion, input.settings);
  const ast = new Ast(input, compile(path, solc, input, { "*": { "": ["ast"] } }));
  const contract = findContract(path, { input, solc, ast, code });
  const files = importsOf(ast, contract.file);
  const published = new PublishedFiles(input, ast);
  for (const file of files) published.addRoot(file);
  const own = files.filter((file) => !published.has(file));
  const isChild = contract.bases.some(({ file }) => published.nameOf(file) === `${ownFolder}VipScore.sol`);
  const toRead = [
    ...published.changed,
    ...(isChild ? [] : [`${contract.file}: ${contract.name} does not inherit the published VipScore`]),
    ...own.flatMap((file) => ast.dangersIn(file, (other) => published.has(other) && !published.isOurs(other))),
  ];
  const copied = files.filter((file) => published.has(file));
  const ours = copied.filter((file) => published.isOurs(file)).length;
  const restsOn = [
    `solc ${solc.version} compiles ${contract.name} in ${basename(path)} to this code${rareBugOf(solc.version)}`,
    `${count(ours, "file")} and ${count(copied.length - ours, "file")} that they import equal those of @vipscore/contracts-evm ${published.version}`,
    own.length === 0
      ? "it has no other files"
      : `no assembly, delegatecall, selfdestruct or huge array in ${own.join(", ")}`,
  ];
  return { holds: toRead.length === 0, restsOn: toRead.length === 0 ? restsOn : [], toRead };
}

/** Build information has the compiler's output too. */
const maxInputBytes = 256 * 2 ** 20;

async function readSolcInput(path: string): Promise<{ input: SolcInput; solcVersion: string | undefined }> {
  const text = await readFileText(path, path, { maxBytes: maxInputBytes });
  try {
    const file = JSON.parse(text) as {
      readonly solcLongVersion?: string;
      readonly solcVersion?: string;
      readonly input?: SolcInput;
    };
    const { language, sources, settings } = file.input ?? (file as unknown as SolcInput);
    const contents = Object.values(sources).map(({ content }) => content as unknown);
    if (language !== "Solidity" || contents.length === 0 || contents.some((content) => typeof content !== "string")) {
      throw new TypeError("no Solidity sources");
    }
    // Foundry adds fields that solc refuses.
    return { input: { language, sources, settings }, solcVersion: file.solcLongVersion ?? file.solcVersion };
  } catch (cause) {
    throw new InputError(`${path} is not the input of solc, with all sources in it`, {
      metaMessages: ["Give the build information of Hardhat or Foundry, or a standard JSON input of solc."],
      cause,
    });
  }
}

function compile(path: string, solc: Solc, input: SolcInput, outputSelection: object): SolcOutput {
  const output = solc.compile({ ...input, settings: { ...input.settings, outputSelection } });
  const faults = output.errors?.filter(({ severity }) => severity === "error") ?? [];
  if (faults.length === 0) return output;
  const messages = faults.map(({ formattedMessage }) => formattedMessage.trim());
  throw new InputError(`${path} does not compile with solc ${solc.version}`, { metaMessages: messages.slice(0, 3) });
}

/** Returns the contract that compiles to the code, of those that inherit a `VipScore`. */
function findContract(
  path: string,
  { input, solc, ast, code }: { input: SolcInput; solc: Solc; ast: Ast; code: ContractCode },
): Contract {
  const candidates = ast.contracts().filter(({ bases }) => bases.some(({ name }) => name === "VipScore"));
  if (candidates.length === 0) {
    throw new InputError(`no contract in ${path} inherits VipScore of @vipscore/contracts-evm`, {
      metaMessages: ["Nothing follows from the sources of another contract, but scenarios can test it."],
    });
  }
  const selection: Record<string, Record<string, readonly string[]>> = {};
  for (const { file, name } of candidates) (selection[file] ??= {})[name] = ["evm.bytecode.object"];
  const { contracts = {} } = compile(path, solc, input, selection);
  const hex = code.bytes.toString("hex");
  const found = candidates.find(({ file, name }) => contracts[file]?.[name]?.evm.bytecode.object.toLowerCase() === hex);
  if (found !== undefined) return found;
  throw new InputError(`no contract in ${path} that inherits VipScore compiles to the code of the artifact`, {
    metaMessages: [
      `Compiled with solc ${solc.version}: ${candidates.map(({ name }) => name).join(", ")}.`,
      "Give the input that the artifact was compiled from; sources, settings and the compiler's version have to be the same.",
    ],
  });
}

/** Returns a file and all that it imports, directly or not. */
function importsOf(ast: Ast, file: string): readonly string[] {
  const found = new Set([file]);
  for (const one of found) for (const { target } of ast.imports(one)) found.add(target);
  return [...found];
}

/** The input's files that are, with all that they import, the published ones of the package of contracts, by sha256. */
class PublishedFiles {
  /** All packages of a release have one version. */
  readonly version = (require("@vipscore/conformance/package.json") as { readonly version: string }).version;
  /** A line for each file that should be one of the package's and differs. */
  readonly changed: string[] = [];
  readonly #input: SolcInput;
  readonly #ast: Ast;
  /** The published name of each file in the input. */
  readonly #published = new Map<string, string>();

  constructor(input: SolcInput, ast: Ast) {
    this.#input = input;
    this.#ast = ast;
  }

  /** Adds a file with all that it imports, if its name or its content is that of one of the package's own. */
  addRoot(file: string): void {
    const named = /(?:^|\/)@vipscore\/contracts-evm(?:@[^/]+)?\/(src\/.+)$/.exec(file)?.[1];
    const alike = `${ownFolder}${basename(file)}`;
    if (named !== undefined) this.#add(file, posix.join("@vipscore/contracts-evm", named));
    else if (this.#isEqual(file, alike)) this.#add(file, alike);
  }

  #add(file: string, name: string): void {
    if (this.#published.has(file)) return;
    if (!this.#isEqual(file, name)) {
      const line = `${file}: is not ${basename(name)} as @vipscore/contracts-evm ${this.version} has or imports it`;
      if (!this.changed.includes(line)) this.changed.push(line);
      return;
    }
    this.#published.set(file, name);
    for (const { written, target } of this.#ast.imports(file)) {
      this.#add(target, written.startsWith(".") ? posix.join(posix.dirname(name), written) : written);
    }
  }

  #isEqual(file: string, name: string): boolean {
    const content = this.#input.sources[file]?.content ?? "";
    return solidityFiles.has(`${createHash("sha256").update(content).digest("hex")} ${name}`);
  }

  has(file: string): boolean {
    return this.#published.has(file);
  }

  /** The file's published name; undefined for another file. */
  nameOf(file: string): string | undefined {
    return this.#published.get(file);
  }

  /** Whether the file is of the package of contracts, and not of another that it imports. */
  isOurs(file: string): boolean {
    return this.nameOf(file)?.startsWith(ownFolder) === true;
  }
}
