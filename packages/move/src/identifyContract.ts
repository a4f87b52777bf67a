import type { ReadOptions } from "@vipscore/core";
import { absentIf } from "@vipscore/core/wire";
import { readExtension } from "./moduleExtension.ts";
import { readModuleStore, type ModuleReader } from "./moduleStore.ts";
import { isViewFailure, readView } from "./moduleViews.ts";

/** Facts that a connection has to know about a scoring module. */
export interface ContractFacts {
  /** The version of our module; undefined for a module that has only the published interface. */
  readonly version: string | undefined;
  /** Handle of the table of stages. */
  readonly stages: string;
}

/**
 * Identifies the scoring module at an address.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` if there is none, `NOT_SUPPORTED` if its upgrade to ours is not complete.
 */
export async function identifyContract(reader: ModuleReader, options: ReadOptions): Promise<ContractFacts> {
  const { stages } = await readModuleStore(reader, options);
  const asked = readView(reader, { name: "contract_version" }, (answer) => answer.text(), options);
  const version = await absentIf(isViewFailure, asked);
  if (version !== undefined) await readExtension(reader, options);
  return { version, stages };
}
