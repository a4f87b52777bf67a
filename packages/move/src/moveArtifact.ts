import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Account, ContractFeatures } from "@vipscore/core";
import { allFeatures, artifactRefused, readArtifact } from "@vipscore/core/engine";
import { encodeAddress } from "./bcs.ts";
import { ModuleBinaryError, placeModule, readModule } from "./moduleBinary.ts";
import { moduleName } from "./moduleStore.ts";
import { featuresOfNames, missingEntries } from "./publishedModule.ts";
import { vipScoreModule } from "./vipScoreModule.generated.ts";

/** Compiled modules to publish, all of one address. */
export interface MoveArtifact {
  /** The scoring module. */
  readonly code: Buffer;
  readonly features: ContractFeatures;
  /** Modules that are published with it. */
  readonly others: readonly { readonly name: string; readonly code: Buffer }[];
}

/** This package's module for a publisher. */
export function vipScoreArtifact(publisher: Account): MoveArtifact {
  const { code, placeholder, occurrences } = vipScoreModule;
  const placed = placeModule(Buffer.from(code, "base64"), {
    placeholder: Buffer.from(placeholder.slice(2), "hex"),
    address: encodeAddress(publisher),
    occurrences,
  });
  return { code: placed, features: allFeatures, others: [] };
}

/**
 * Reads compiled modules: one file, a folder of them, or the folder of a Move package that was built.
 *
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` unless there is a module `vip_score` with the published functions and
 * all modules are compiled for the publisher's address.
 */
export async function readMoveArtifact(path: string, publisher: Account): Promise<MoveArtifact> {
  const modules = [];
  for (const file of await listModules(path)) {
    const code = await readArtifact(file);
    modules.push({ file, code, ...namesIn(file, code) });
  }
  for (const { file, address } of modules) {
    if (address.equals(encodeAddress(publisher))) continue;
    throw artifactRefused(file, `it is compiled for 0x${address.toString("hex")}, not for its publisher ${publisher}`, [
      `Build it with the named address ${moduleName} = ${publisher}: the account that deploys.`,
    ]);
  }
  const scoring = modules.find(({ name }) => name === moduleName);
  if (scoring === undefined) {
    throw artifactRefused(path, `it has no module ${moduleName}`, [
      "A scoring module keeps its name, also when it is changed.",
    ]);
  }
  const missing = missingEntries(scoring.identifiers);
  if (missing.length > 0) throw artifactRefused(path, `the module lacks published functions: ${missing.join(", ")}`);
  const { code, identifiers } = scoring;
  return { code, features: featuresOfNames(identifiers), others: modules.filter((module) => module !== scoring) };
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
  throw artifactRefused(path, "the folder has no compiled module", ["Build the package first: minitiad move build"]);
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
