import { CheckError, type Account, type ReadOptions, type Score } from "@vipscore/core";
import { isNotFound, undefinedIf, type Answer, type ReadAnswer, type RestClient } from "@vipscore/core/wire";
import { encodeAddress, encodeU64, readBcs, type BcsReader } from "./bcs.ts";

/** The module's name at its publisher's address. */
export const moduleName = "vip_score";

/** A scoring module on a chain, to read from. */
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

/** An entry of the table of stages. */
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

/** Reads `ModuleStore`; undefined if there is none at that height. */
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

/** @throws CheckError `CONTRACT_NOT_FOUND` if there is no `ModuleStore` at that height. */
export async function readModuleStore(reader: ModuleReader, options: ReadOptions): Promise<ModuleStore> {
  const store = await findModuleStore(reader, options);
  if (store !== undefined) return store;
  const at = options.height === undefined ? "" : ` at height ${options.height}`;
  throw new CheckError(`no scoring module is published at ${reader.address}${at}`, {
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
