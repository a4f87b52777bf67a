import { CheckError, type ReadOptions } from "@vipscore/core";
import { isObject } from "@vipscore/core/wire";
import { findContract, findSmart, findStored, type AnswerOf, type ContractReader } from "./contractReader.ts";
import { initStageKey } from "./storeKeys.ts";
import type { ContractVersionResponse, ScoresResponse, StageInfoResponse } from "./vipScoreTypes.generated.ts";

/** The name that our contract stores with its version (cw2). */
const contractName = "vipscore:vip-score";

/**
 * Identifies the scoring contract at an address. Returns the version of our contract; undefined for one that has only the
 * published interface.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` if there is none.
 */
export async function identifyContract(reader: ContractReader, options: ReadOptions = {}): Promise<string | undefined> {
  const at = options.height === undefined ? "" : ` at height ${options.height}`;
  if ((await findContract(reader, options)) === undefined) {
    throw new CheckError(`there is no contract at ${reader.address}${at}`, {
      code: "CONTRACT_NOT_FOUND",
      metaMessages: ["Check the contract's address, and that the endpoint is the rollup's."],
    });
  }
  const version = await findSmart(reader, { get_contract_version: {} }, readVersion, options);
  if (version !== undefined) return version;
  if (await hasPublishedQueries(reader, options)) return undefined;
  throw new CheckError(`the contract at ${reader.address}${at} is not a scoring contract`, {
    code: "CONTRACT_NOT_FOUND",
    metaMessages: ["It has neither this project's interface nor the published one."],
  });
}

/** The version that our contract returns; undefined for any other contract. */
function readVersion(answer: AnswerOf<ContractVersionResponse>): string | undefined {
  if (!isObject(answer.value) || answer.field("contract").value !== contractName) return undefined;
  return answer.field("version").text();
}

async function hasPublishedQueries(reader: ContractReader, options: ReadOptions): Promise<boolean> {
  const first = await findStored(reader, initStageKey, ({ value }) => value, options);
  if (typeof first !== "bigint") return false;
  const isStage = (answer: AnswerOf<StageInfoResponse>): boolean =>
    isObject(answer.value) &&
    answer.field("stage").value === first &&
    typeof answer.field("total_score").value === "bigint" &&
    typeof answer.field("is_finalized").value === "boolean";
  const isPage = (answer: AnswerOf<ScoresResponse>): boolean =>
    isObject(answer.value) && Array.isArray(answer.field("scores").value);
  const hasStage = await findSmart(reader, { get_stage_info: { stage: first } }, isStage, options);
  const hasPage = await findSmart(reader, { get_scores: { stage: first, limit: 1n } }, isPage, options);
  return hasStage === true && hasPage === true;
}
