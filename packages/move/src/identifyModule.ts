import type { ReadOptions } from "@vipscore/core";
import { readModuleStore, type ModuleReader } from "./moduleStore.ts";
import { findView } from "./viewFunction.ts";

/** What is known of a scoring module once it was met. */
export interface ModuleFacts {
  /** The version of our module; undefined for a module that has only the published interface. */
  readonly version: string | undefined;
  /** Handle of the table of stages. */
  readonly stages: string;
}

/**
 * Finds out which scoring module is at an address.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` where there is none.
 */
export async function identifyModule(reader: ModuleReader, options: ReadOptions): Promise<ModuleFacts> {
  const { stages } = await readModuleStore(reader, options);
  const version = await findView(reader, "contract_version", [], options);
  // Of a later major version only the published interface is certain to behave as known here.
  const isKnown = typeof version === "string" && /^1\.\d+\.\d+$/.test(version);
  return { version: isKnown ? version : undefined, stages };
}
