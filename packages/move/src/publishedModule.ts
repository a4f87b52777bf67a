import type { ContractFeatures, ReadOptions } from "@vipscore/core";
import { isNotFound, undefinedIf, type Answer } from "@vipscore/core/wire";
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
  readonly features: ContractFeatures;
}

/** Functions with their parameters as the node lists them. */
type Functions = Readonly<Record<string, readonly string[]>>;

/** The functions that make up each feature. */
const addedFunctions: Readonly<Record<keyof ContractFeatures, Functions>> = {
  checkedFinalize: { get_stage: ["u64"], finalize_checked_script: ["&signer", "u64", "u64", "u64", "u64"] },
  packed: { update_scores_script: ["&signer", "u64", "vector<address>", "vector<u64>"] },
  roles: {
    complete_upgrade_script: ["&signer"],
    transfer_ownership_script: ["&signer", "address"],
    accept_ownership_script: ["&signer"],
    set_finalizer_script: ["&signer", "0x1::option::Option<address>"],
    set_publisher_manages_script: ["&signer", "bool"],
    set_deployers_script: ["&signer", "vector<address>"],
    owner_add_deployer_script: ["&signer", "address"],
    owner_remove_deployer_script: ["&signer", "address"],
  },
};

/** The entry functions of every scoring module. */
const publishedEntries: Functions = {
  add_deployer_script: ["&signer", "address"],
  remove_deployer_script: ["&signer", "address"],
  set_init_stage: ["&signer", "u64"],
  update_score_script: ["&signer", "u64", "vector<address>", "vector<u64>"],
  finalize_script: ["&signer", "u64"],
};

/** The published functions that a module with these names lacks. */
export function missingEntries(names: ReadonlySet<string>): readonly string[] {
  return Object.keys(publishedEntries).filter((name) => !names.has(name));
}

/** The features of a module with these names. */
export function featuresOfNames(names: ReadonlySet<string>): ContractFeatures {
  return featuresBy((functions) => Object.keys(functions).every((name) => names.has(name)));
}

function featuresBy(hasAll: (functions: Functions) => boolean): ContractFeatures {
  const { checkedFinalize, packed, roles } = addedFunctions;
  return { checkedFinalize: hasAll(checkedFinalize), packed: hasAll(packed), roles: hasAll(roles) };
}

/** Reads the module with a name at an address, by default the scoring module's; undefined if there is none. */
export function findPublishedModule(
  { rest, address }: ModuleReader,
  options: ReadOptions,
  name = moduleName,
): Promise<PublishedModule | undefined> {
  return undefinedIf(isNotFound, rest.get(`/initia/move/v1/accounts/${address}/modules/${name}`, readModule, options));
}

function readModule(answer: Answer): PublishedModule {
  const found = answer.field("module");
  const policy = found.field("upgrade_policy");
  const functions = readFunctions(found.field("abi").json());
  const hasAll = (wanted: Functions): boolean =>
    Object.entries(wanted).every(([name, params]) => functions.get(name) === params.join());
  return {
    code: found.field("raw_bytes").base64(),
    upgradePolicy: policies.get(policy.text()) ?? policy.unreadable("an upgrade policy"),
    isScoring: hasAll(publishedEntries),
    features: featuresBy(hasAll),
  };
}

/** The parameters of every public function by its name. */
function readFunctions(abi: Answer): ReadonlyMap<string, string> {
  const functions = new Map<string, string>();
  for (const entry of abi.field("exposed_functions").elements()) {
    const params = entry.field("params").elements();
    functions.set(entry.field("name").text(), params.map((param) => param.text()).join());
  }
  return functions;
}
