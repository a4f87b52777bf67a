import type { ReadOptions } from "@vipscore/core";
import { absentIf, isNotFound, type Answer } from "@vipscore/core/wire";
import { moduleName, type ModuleReader } from "./moduleStore.ts";

/** Changes that a later publish under the same name may make: compatible ones, or none. */
export type UpgradePolicy = "compatible" | "immutable";

/** By the node's names. */
const policies: ReadonlyMap<string, UpgradePolicy> = new Map([
  ["COMPATIBLE", "compatible"],
  ["IMMUTABLE", "immutable"],
]);

/** The module at an address under the scoring module's name. */
export interface PublishedModule {
  readonly code: Buffer;
  readonly upgradePolicy: UpgradePolicy;
  /** True if it has the functions of the published interface. */
  readonly isScoring: boolean;
}

/** The entry functions of every scoring module, with their parameters as the node lists them. */
const publishedEntries: Readonly<Record<string, readonly string[]>> = {
  add_deployer_script: ["&signer", "address"],
  remove_deployer_script: ["&signer", "address"],
  set_init_stage: ["&signer", "u64"],
  update_score_script: ["&signer", "u64", "vector<address>", "vector<u64>"],
  finalize_script: ["&signer", "u64"],
};

/** Reads the module with the scoring module's name at an address; undefined if there is none. */
export function findPublishedModule(
  { rest, address }: ModuleReader,
  options: ReadOptions,
): Promise<PublishedModule | undefined> {
  const path = `/initia/move/v1/accounts/${address}/modules/${moduleName}`;
  return absentIf(isNotFound, rest.get(path, readModule, options));
}

function readModule(answer: Answer): PublishedModule {
  const found = answer.field("module");
  const policy = found.field("upgrade_policy");
  return {
    code: found.field("raw_bytes").base64(),
    upgradePolicy: policies.get(policy.text()) ?? policy.unreadable("an upgrade policy"),
    isScoring: hasPublishedEntries(found.field("abi").json()),
  };
}

function hasPublishedEntries(abi: Answer): boolean {
  const functions = new Map<string, string>();
  for (const entry of abi.field("exposed_functions").elements()) {
    const params = entry.field("params").elements();
    functions.set(entry.field("name").text(), params.map((param) => param.text()).join());
  }
  return Object.entries(publishedEntries).every(([name, params]) => functions.get(name) === params.join());
}
