import { createHash } from "node:crypto";
import { VipError, type ContractFeatures, type ReadOptions } from "@vipscore/core";
import { undefinedIf } from "@vipscore/core/wire";
import { findPublishedModule, readExtension, readModuleStore, type ModuleReader } from "./moduleStore.ts";
import { isViewFailure, readView } from "./moduleViews.ts";

export interface ContractFacts {
  readonly version: string | undefined;
  readonly code: string;
  readonly features: ContractFeatures;
  readonly stages: string;
}

/** Identifies a module by its functions. @throws `CONTRACT_NOT_FOUND`; `NOT_SUPPORTED` if its upgrade to ours is not complete. */
export async function identifyContract(reader: ModuleReader, options: ReadOptions): Promise<ContractFacts> {
  const { stages } = await readModuleStore(reader, options);
  const asked = readView(reader, { name: "contract_version" }, (answer) => answer.text(), options);
  const [version, module] = await Promise.all([
    undefinedIf(isViewFailure, asked),
    findPublishedModule(reader, options),
  ]);
  if (module === undefined) {
    throw new VipError(`no scoring module is published at ${reader.address}`, { code: "CONTRACT_NOT_FOUND" });
  }
  const { features } = module;
  if (features.roles) await readExtension(reader, options);
  return { version, code: createHash("sha256").update(module.code).digest("hex"), features, stages };
}
