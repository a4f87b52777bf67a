import type { ReadOptions } from "@vipscore/core";
import { featuresOf, knownVersion } from "@vipscore/core/engine";
import { absentIf } from "@vipscore/core/wire";
import { findSettings } from "./moduleSettings.ts";
import { readModuleStore, type ModuleReader } from "./moduleStore.ts";
import { callView, isViewFailure } from "./viewFunction.ts";

/** What a connection has to know about a scoring module. */
export interface ContractFacts {
  /** The version of our module; undefined for a module that has only the published interface. */
  readonly version: string | undefined;
  /** True if the module keeps revisions and can have a finalizer. */
  readonly hasSettings: boolean;
  /** Handle of the table of stages. */
  readonly stages: string;
}

/**
 * Identifies the scoring module at an address.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` if there is none.
 */
export async function identifyContract(reader: ModuleReader, options: ReadOptions): Promise<ContractFacts> {
  const { stages } = await readModuleStore(reader, options);
  const asked = callView(reader, { name: "contract_version" }, ({ value }) => knownVersion(value), options);
  const version = await absentIf(isViewFailure, asked);
  const mayHave = featuresOf(version).revisions;
  const hasSettings = mayHave && (await findSettings(reader, options)) !== undefined;
  return { version, hasSettings, stages };
}
