import { CheckError, knownVersion, type ReadOptions } from "@vipscore/core";
import { isObject } from "@vipscore/core/http";
import { findContract, findSmart, findStored, type ContractReader } from "./contractReader.ts";
import type { Answer } from "./readField.ts";
import { initStageKey } from "./storeKeys.ts";
import type { ContractVersionResponse, ScoresResponse, StageInfoResponse } from "./vipScoreTypes.generated.ts";

/** The name that our contract keeps with its version (cw2). */
const contractName = "vipscore:vip-score";

/**
 * Finds out which scoring contract is at an address. Gives the version of our contract; undefined for one that has only
 * the published interface.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` where there is none.
 */
export async function identifyContract(reader: ContractReader, options: ReadOptions = {}): Promise<string | undefined> {
  const at = options.height === undefined ? "" : ` at height ${options.height}`;
  if ((await findContract(reader, options)) === undefined) {
    throw new CheckError(`no contract is at ${reader.address}${at}`, {
      code: "CONTRACT_NOT_FOUND",
      metaMessages: ["Check the contract's address, and that the endpoint is the rollup's."],
    });
  }
  const version = versionOf((await findSmart(reader, { get_contract_version: {} }, options))?.value);
  if (version !== undefined) return version;
  if (await hasPublishedQueries(reader, options)) return undefined;
  throw new CheckError(`the contract at ${reader.address}${at} is no scoring contract`, {
    code: "CONTRACT_NOT_FOUND",
    metaMessages: ["It answers neither as this project's contract nor as the published interface asks."],
  });
}

/** The version in an answer of our contract; undefined for any other contract. */
function versionOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { contract, version }: Answer<ContractVersionResponse> = value;
  return contract === contractName ? knownVersion(version) : undefined;
}

async function hasPublishedQueries(reader: ContractReader, options: ReadOptions): Promise<boolean> {
  const stored = await findStored(reader, initStageKey, options);
  const first = stored?.value;
  if (typeof first !== "bigint") return false;
  const info = (await findSmart(reader, { get_stage_info: { stage: first } }, options))?.value;
  const page = (await findSmart(reader, { get_scores: { stage: first, limit: 1n } }, options))?.value;
  if (!isObject(info) || !isObject(page)) return false;
  const { stage, total_score: total, is_finalized: isFinalized }: Answer<StageInfoResponse> = info;
  const { scores }: Answer<ScoresResponse> = page;
  return stage === first && typeof total === "bigint" && typeof isFinalized === "boolean" && Array.isArray(scores);
}
