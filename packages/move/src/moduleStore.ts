import { CheckError, type Account, type ReadOptions } from "@vipscore/core";
import { BcsLayoutError, BcsReader, encodeU64 } from "./bcs.ts";
import { readBase64, readObject, unreadable, type Source } from "./readField.ts";
import { isNotFound, type RestAnswer, type RestClient } from "@vipscore/core/http";

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
  /** Handle of the table of stages, hex without `0x`; the same for ever. */
  readonly stages: string;
}

/** An entry of the table of stages. */
export interface StageEntry {
  readonly total: bigint;
  readonly isFinalized: boolean;
  /** Handle of the stage's table of scores, hex without `0x`. */
  readonly scores: string;
  /** Number of rows in that table. */
  readonly count: bigint;
}

/** Reads `ModuleStore`; undefined where there is none at that height. */
export async function findModuleStore(reader: ModuleReader, options: ReadOptions): Promise<ModuleStore | undefined> {
  const { rest, address } = reader;
  const path = `/initia/move/v1/accounts/${address}/resources/by_struct_tag`;
  const query = { struct_tag: `${address}::${moduleName}::ModuleStore` };
  const answer = await absentIfNotFound(rest.get(path, { ...options, query }));
  if (answer === undefined) return undefined;
  const source = { rest, path };
  const bytes = readBase64(source, readObject(source, answer, "resource"), "raw_bytes");
  return decode(source, "ModuleStore", bytes, (from) => {
    const initStage = from.u64();
    const deployers: Account[] = [];
    for (let left = from.length(); left > 0; left -= 1) {
      deployers.push(from.address());
      // The value of the map means nothing: being a key makes a deployer.
      from.bool();
    }
    const stages = from.handle();
    from.u64();
    return { initStage, deployers, stages };
  });
}

/** @throws CheckError `CONTRACT_NOT_FOUND` where there is no `ModuleStore` at that height. */
export async function readModuleStore(reader: ModuleReader, options: ReadOptions): Promise<ModuleStore> {
  const store = await findModuleStore(reader, options);
  if (store !== undefined) return store;
  const at = options.height === undefined ? "" : ` at height ${options.height}`;
  throw new CheckError(`no scoring module is published at ${reader.address}${at}`, {
    code: "CONTRACT_NOT_FOUND",
    metaMessages: ["Check the module's address (its publisher's), and that the endpoint is the rollup's."],
  });
}

/** Reads the entry of a stage from the table of stages; undefined where there is none at that height. */
export async function findStageEntry(
  rest: RestClient,
  stages: string,
  stage: bigint,
  options: ReadOptions,
): Promise<StageEntry | undefined> {
  const value = await findTableValue(rest, stages, encodeU64(stage), options);
  if (value === undefined) return undefined;
  const [source, bytes] = value;
  return decode(source, "stage", bytes, (from) => {
    const total = from.u64();
    const isFinalized = from.bool();
    return { total, isFinalized, scores: from.handle(), count: from.u64() };
  });
}

/** Reads one value of a table by the bytes of its key; undefined where the table has no such key. */
export async function findTableValue(
  rest: RestClient,
  handle: string,
  key: Buffer,
  options: ReadOptions,
): Promise<readonly [Source, Buffer] | undefined> {
  const path = `/initia/move/v1/tables/0x${handle}/entries/by_key_bytes`;
  const query = { key_bytes: key.toString("base64") };
  const answer = await absentIfNotFound(rest.get(path, { ...options, query }));
  if (answer === undefined) return undefined;
  const source = { rest, path };
  return [source, readBase64(source, readObject(source, answer, "table_entry"), "value_bytes")];
}

async function absentIfNotFound(asked: Promise<RestAnswer>): Promise<RestAnswer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Decodes bytes that `read` has to use up. */
function decode<T>(source: Source, what: string, bytes: Buffer, read: (from: BcsReader) => T): T {
  try {
    const from = new BcsReader(bytes);
    const value = read(from);
    if (from.isAtEnd) return value;
  } catch (error) {
    if (!(error instanceof BcsLayoutError)) throw error;
  }
  return unreadable(source, what, bytes.toString("hex"));
}
