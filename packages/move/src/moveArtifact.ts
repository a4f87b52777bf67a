import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readFileBytes, type ContractFeatures } from "@vipscore/core";
import { accountOf, allFeatures, artifactRefused } from "@vipscore/core/engine";
import { decodeLeb128 } from "@vipscore/core/wire";
import { encodeAddress } from "./bcs.ts";
import { featuresOfNames, missingFunctions, moduleName } from "./moduleStore.ts";
import { addressBytes } from "./moveAddress.ts";
import { vipScoreModule } from "./vipScoreModule.generated.ts";

/** Compiled modules to publish, all of one address. */
export interface MoveArtifact {
  /** The scoring module. */
  readonly code: Buffer;
  readonly features: ContractFeatures;
  /** Modules that are published with it. */
  readonly others: readonly { readonly name: string; readonly code: Buffer }[];
}

export function vipScoreArtifact(publisher: string): MoveArtifact {
  const { code, placeholder, occurrences } = vipScoreModule;
  const placed = placeModule(Buffer.from(code, "base64"), {
    placeholder: Buffer.from(placeholder.slice(2), "hex"),
    address: encodeAddress(accountOf(publisher)),
    occurrences,
  });
  return { code: placed, features: allFeatures, others: [] };
}

/**
 * Reads compiled modules: one file, a folder of them, or the folder of a Move package that was built.
 *
 * @param publisher - Default: the modules may be compiled for any address.
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` unless there is a module `vip_score` with the published functions and
 * all modules are compiled for the publisher's address.
 */
export async function readMoveArtifact(path: string, publisher?: string): Promise<MoveArtifact> {
  const modules = await readModules(path, publisher);
  const scoring = modules.find(({ name }) => name === moduleName);
  if (scoring === undefined) {
    throw artifactRefused(path, `it has no module ${moduleName}`, [
      "A scoring module keeps its name, also when it is changed.",
    ]);
  }
  const missing = missingFunctions(scoring.identifiers);
  if (missing.length > 0) throw artifactRefused(path, `the module lacks published functions: ${missing.join(", ")}`);
  const { code, identifiers } = scoring;
  return { code, features: featuresOfNames(identifiers), others: modules.filter((module) => module !== scoring) };
}

/** Reads compiled modules of any kind. @throws InputError unless all are compiled for the publisher's address. */
export async function readModules(
  path: string,
  publisher?: string,
): Promise<readonly (ModuleNames & { readonly code: Buffer })[]> {
  const modules = [];
  for (const file of await listModules(path)) {
    const code = await readFileBytes(file, file);
    modules.push({ file, code, ...namesIn(file, code) });
  }
  for (const { file, address } of modules) {
    if (publisher === undefined || address.equals(encodeAddress(accountOf(publisher)))) continue;
    throw artifactRefused(file, `it is compiled for 0x${address.toString("hex")}, not for its publisher ${publisher}`, [
      `Build it with its named address = ${publisher}: the account that deploys.`,
    ]);
  }
  return modules;
}

/** The files of modules; in a package's folder those of its build. */
async function listModules(path: string): Promise<readonly string[]> {
  const folders = [path];
  const built = await readdir(join(path, "build")).catch(() => []);
  folders.push(...built.map((name) => join(path, "build", name, "bytecode_modules")));
  for (const folder of folders.toReversed()) {
    const names = await readdir(folder).catch(() => []);
    const files = names.filter((name) => name.endsWith(".mv")).toSorted();
    if (files.length > 0) return files.map((name) => join(folder, name));
  }
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) return [path];
  throw artifactRefused(path, "the folder has no compiled module", [
    "Build the package, and pass its folder: the one with Move.toml.",
  ]);
}

function namesIn(file: string, code: Buffer): ReturnType<typeof readModule> {
  try {
    return readModule(code);
  } catch (error) {
    if (error instanceof ModuleBinaryError)
      throw artifactRefused(file, `it is not a compiled Move module (${error.message})`);
    throw error;
  }
}

/**
 * The parts of Move's binary format needed to place a module at an address: magic, version, a directory of tables, their
 * contents, and the index of the module's own handle.
 * Source: the Move language's `move-binary-format`, `file_format_common.rs`.
 */
const magic = "a11ceb0b";
const tableKinds = { moduleHandles: 1, constants: 6, identifiers: 7, addresses: 8 };

/** A table of a module. */
export interface ModuleTable {
  /** What it has, as the format numbers it. */
  readonly kind: number;
  /** Positions in the file. */
  readonly start: number;
  readonly end: number;
}

/** Thrown for bytes that are not a Move module, or not the expected one. */
export class ModuleBinaryError extends Error {
  override readonly name = "ModuleBinaryError";
}

/**
 * Returns the module with every occurrence of `placeholder` replaced by `address`, both of 32 bytes.
 *
 * @throws ModuleBinaryError unless there are exactly `occurrences`, all where a module stores addresses (its address
 * table and its constants), and the result is a module of `address`.
 */
export function placeModule(
  code: Buffer,
  { placeholder, address, occurrences }: { placeholder: Buffer; address: Buffer; occurrences: number },
): Buffer {
  if (placeholder.length !== addressBytes || address.length !== addressBytes) {
    throw new ModuleBinaryError("an address has 32 bytes");
  }
  const tables = readModuleTables(code);
  const holders = tables.filter(({ kind }) => kind === tableKinds.addresses || kind === tableKinds.constants);
  const placed = Buffer.from(code);
  let count = 0;
  for (let at = code.indexOf(placeholder); at !== -1; at = code.indexOf(placeholder, at + addressBytes)) {
    const position = at;
    if (!holders.some(({ start, end }) => position >= start && position + addressBytes <= end)) {
      throw new ModuleBinaryError(`the placeholder at byte ${position} is not an address of the module`);
    }
    address.copy(placed, position);
    count += 1;
  }
  if (count !== occurrences) {
    throw new ModuleBinaryError(`the placeholder occurs ${count} times, expected ${occurrences}`);
  }
  if (!moduleAddress(placed).equals(address))
    throw new ModuleBinaryError("the module does not belong to the placeholder's address");
  return placed;
}

/** The address that a module belongs to. */
export function moduleAddress(code: Buffer): Buffer {
  return readModule(code).address;
}

interface ModuleId {
  readonly address: Buffer;
  readonly name: string;
}

/** A module's address and name, the modules that it names, and every name in it: those of its functions and structs, and of what it uses. */
export interface ModuleNames extends ModuleId {
  readonly uses: readonly ModuleId[];
  readonly identifiers: ReadonlySet<string>;
}

/** @throws ModuleBinaryError for bytes that are not a module. */
export function readModule(code: Buffer): ModuleNames {
  const tables = readModuleTables(code);
  const tableOf = (kind: number): ModuleTable => {
    const found = tables.find((table) => table.kind === kind);
    if (found === undefined) throw new ModuleBinaryError("a table is missing");
    return found;
  };
  const addresses = tableOf(tableKinds.addresses);
  const identifiers = readIdentifiers(code, tableOf(tableKinds.identifiers));
  const index = new ModuleCursor(code, Math.max(0, ...tables.map((table) => table.end))).uleb();
  const handles = tableOf(tableKinds.moduleHandles);
  const cursor = new ModuleCursor(code, handles.start);
  const uses: ModuleId[] = [];
  while (cursor.position < handles.end) {
    // A handle is the index of an address and the index of a name.
    const start = addresses.start + cursor.uleb() * addressBytes;
    const name = identifiers[cursor.uleb()];
    if (start + addressBytes > addresses.end || name === undefined) {
      throw new ModuleBinaryError("a module's address or name is missing");
    }
    uses.push({ address: code.subarray(start, start + addressBytes), name });
  }
  const own = uses[index];
  if (own === undefined) throw new ModuleBinaryError("the module's own address or name is missing");
  return { ...own, uses, identifiers: new Set(identifiers) };
}

function readIdentifiers(code: Buffer, { start, end }: ModuleTable): readonly string[] {
  const identifiers: string[] = [];
  const cursor = new ModuleCursor(code, start);
  while (cursor.position < end) {
    const length = cursor.uleb();
    identifiers.push(code.toString("utf8", cursor.position, cursor.position + length));
    cursor.position += length;
  }
  return identifiers;
}

/**
 * Reads the directory of a module's tables, which are contiguous up to the index at the end.
 *
 * @throws ModuleBinaryError for bytes that are not a module.
 */
export function readModuleTables(code: Buffer): readonly ModuleTable[] {
  if (code.toString("hex", 0, 4) !== magic) throw new ModuleBinaryError("not a Move module");
  const cursor = new ModuleCursor(code, 8);
  const entries: { readonly kind: number; readonly offset: number; readonly size: number }[] = [];
  for (let left = cursor.uleb(); left > 0; left -= 1) {
    entries.push({ kind: cursor.byte(), offset: cursor.uleb(), size: cursor.uleb() });
  }
  const first = cursor.position;
  const tables = entries.map(({ kind, offset, size }) => ({ kind, start: first + offset, end: first + offset + size }));
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (tables.some(({ end }) => end > first + size) || first + size >= code.length) {
    throw new ModuleBinaryError("the module ends too early, or its tables have gaps");
  }
  return tables;
}

/** Reads a module from a position on. */
export class ModuleCursor {
  readonly #bytes: Buffer;
  position: number;

  constructor(bytes: Buffer, position: number) {
    this.#bytes = bytes;
    this.position = position;
  }

  byte(): number {
    const value = this.#bytes[this.position];
    if (value === undefined) throw new ModuleBinaryError("the module ends too early");
    this.position += 1;
    return value;
  }

  bytes(length: number): Buffer {
    if (this.position + length > this.#bytes.length) throw new ModuleBinaryError("the module ends too early");
    this.position += length;
    return this.#bytes.subarray(this.position - length, this.position);
  }

  uleb(): number {
    const read = decodeLeb128(this.#bytes, this.position);
    if (read === undefined) throw new ModuleBinaryError("a number has no end");
    this.position = read.end;
    return read.value;
  }
}
