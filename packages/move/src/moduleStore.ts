import {
  VipError,
  type Account,
  type ContractControl,
  type ContractFeatures,
  type ReadOptions,
  type Score,
} from "@vipscore/core";
import { isNotFound, undefinedIf, type Answer, type ReadAnswer, type RestClient } from "@vipscore/core/wire";
import { encodeAddress, encodeU64, readBcs, type BcsReader } from "./bcs.ts";

/** The module's name at its publisher's address. */
export const moduleName = "vip_score";

export interface ModuleReader {
  readonly rest: RestClient;
  /** The publisher's address. */
  readonly address: Account;
}

/** The resource `ModuleStore` of the published interface. */
export interface ModuleStore {
  /** 0 until the first stage is set. */
  readonly initStage: bigint;
  readonly deployers: readonly Account[];
  /** Handle of the table of stages: hex without `0x`. Never changes. */
  readonly stages: string;
}

export interface StageEntry {
  readonly total: bigint;
  readonly isFinalized: boolean;
  /** Handle of the stage's table of scores: hex without `0x`. */
  readonly scores: string;
  /** Number of rows in that table. */
  readonly count: bigint;
}

/** Reads a resource of the module from the bytes of its value; undefined if there is none at that height. */
export function findResource<T>(
  { rest, address }: ModuleReader,
  name: string,
  read: (from: BcsReader) => T,
  options: ReadOptions,
): Promise<T | undefined> {
  const asked = rest.get(
    `/initia/move/v1/accounts/${address}/resources/by_struct_tag`,
    (answer) => readBcs(answer.field("resource").field("raw_bytes"), `a ${name}`, read),
    { ...options, query: { struct_tag: `${address}::${moduleName}::${name}` } },
  );
  return undefinedIf(isNotFound, asked);
}

export function findModuleStore(reader: ModuleReader, options: ReadOptions): Promise<ModuleStore | undefined> {
  return findResource(reader, "ModuleStore", readStore, options);
}

function readStore(from: BcsReader): ModuleStore {
  const initStage = from.u64();
  const deployers: Account[] = [];
  for (let left = from.length(); left > 0; left -= 1) {
    deployers.push(from.address());
    // The map's values are unused: every key is a deployer.
    from.bool();
  }
  const stages = from.handle();
  from.u64();
  return { initStage, deployers, stages };
}

/** @throws VipError `CONTRACT_NOT_FOUND` if there is no `ModuleStore` at that height. */
export async function readModuleStore(reader: ModuleReader, options: ReadOptions): Promise<ModuleStore> {
  const store = await findModuleStore(reader, options);
  if (store !== undefined) return store;
  const at = options.height === undefined ? "" : ` at height ${options.height}`;
  throw new VipError(`no scoring module is published at ${reader.address}${at}`, {
    code: "CONTRACT_NOT_FOUND",
    metaMessages: ["Check the module's address (its publisher's), and that the endpoint is the rollup's."],
  });
}

/** Reads a stage's entry from the table of stages; undefined if there is none at that height. */
export function findStageEntry(
  rest: RestClient,
  stages: string,
  stage: bigint,
  options: ReadOptions,
): Promise<StageEntry | undefined> {
  const read = (value: Answer): StageEntry => readBcs(value, "a stage", readEntry);
  return findTableValue(rest, { handle: stages, key: encodeU64(stage) }, read, options);
}

function readEntry(from: BcsReader): StageEntry {
  const total = from.u64();
  const isFinalized = from.bool();
  return { total, isFinalized, scores: from.handle(), count: from.u64() };
}

/** Reads an account's score from a stage's table of scores; undefined if it has none at that height. */
export function findScore(
  rest: RestClient,
  scores: string,
  account: Account,
  options: ReadOptions,
): Promise<Score | undefined> {
  const read = (value: Answer): Score => readBcs(value, "a score", (from) => from.u64());
  return findTableValue(rest, { handle: scores, key: encodeAddress(account) }, read, options);
}

/** Reads one value of a table by the bytes of its key; undefined if the table does not have the key. */
function findTableValue<T>(
  rest: RestClient,
  { handle, key }: { readonly handle: string; readonly key: Buffer },
  read: ReadAnswer<T>,
  options: ReadOptions,
): Promise<T | undefined> {
  const asked = rest.get(
    `/initia/move/v1/tables/0x${handle}/entries/by_key_bytes`,
    (answer) => read(answer.field("table_entry").field("value_bytes")),
    { ...options, query: { key_bytes: key.toString("base64") } },
  );
  return undefinedIf(isNotFound, asked);
}

/** The resource `Extension` of our module: all that it adds to the published state except the revisions. */
export interface ModuleExtension {
  readonly owner: Account;
  /** Who must call `accept_ownership_script` to become the owner; undefined when ownership is not offered. */
  readonly pendingOwner: Account | undefined;
  /** The only account that may finalize; undefined if every member may. */
  readonly finalizer: Account | undefined;
  /** True if the publisher may add and remove members, as in the published interface. */
  readonly publisherManages: boolean;
}

/** Reads the module's extension; undefined for a reference contract, and for one whose upgrade is not complete. */
export function findExtension(reader: ModuleReader, options: ReadOptions): Promise<ModuleExtension | undefined> {
  return findResource(reader, "Extension", decodeExtension, options);
}

/** @throws VipError `NOT_SUPPORTED` if the module is ours and its upgrade from the reference is not complete. */
export async function readExtension(reader: ModuleReader, options: ReadOptions): Promise<ModuleExtension> {
  const extension = await findExtension(reader, options);
  if (extension !== undefined) return extension;
  throw new VipError(`the upgrade of the module at ${reader.address} is not complete`, {
    code: "NOT_SUPPORTED",
    metaMessages: [
      "Until it is, nothing can be written, finalized or managed.",
      {
        code: "complete-upgrade",
        text: "To complete it, upgrade again with the publisher's key, or let the publisher call complete_upgrade_script.",
      },
    ],
  });
}

/** Reads the roles of our module at one height. */
export async function readControl(reader: ModuleReader, options: ReadOptions): Promise<ContractControl> {
  const [{ publisherManages, ...roles }, module] = await Promise.all([
    readExtension(reader, options),
    findPublishedModule(reader, options),
  ]);
  const codeAdmin = module?.upgradePolicy === "compatible" ? reader.address : undefined;
  return { ...roles, othersManage: publisherManages, codeAdmin };
}

function decodeExtension(from: BcsReader): ModuleExtension {
  const owner = from.address();
  const pendingOwner = option(from);
  const finalizer = option(from);
  const publisherManages = from.bool();
  // Skip the table of revisions: its handle and its length.
  from.handle();
  from.u64();
  return { owner, pendingOwner, finalizer, publisherManages };
}

function option(from: BcsReader): Account | undefined {
  return from.length() === 0 ? undefined : from.address();
}

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
  /** True if it has the published entry functions. */
  readonly isScoring: boolean;
  readonly features: ContractFeatures;
}

/** Functions with their parameters as the node lists them. */
type Functions = Readonly<Record<string, readonly string[]>>;

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

/** The published functions that other modules call, and the views. */
const publishedOthers = [
  "increase_score",
  "decrease_score",
  "update_score",
  "get_score",
  "get_total_score",
  "get_scores",
];

/** The published functions that a module with these names lacks. */
export function missingFunctions(names: ReadonlySet<string>): readonly string[] {
  return [...Object.keys(publishedEntries), ...publishedOthers].filter((name) => !names.has(name));
}

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
  return undefinedIf(
    isNotFound,
    rest.get(`/initia/move/v1/accounts/${address}/modules/${name}`, readPublishedModule, options),
  );
}

function readPublishedModule(answer: Answer): PublishedModule {
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
