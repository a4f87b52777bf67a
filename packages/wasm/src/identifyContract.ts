import { u64Max, VipError, type ContractFeatures, type ReadOptions } from "@vipscore/core";
import { isObject, type Answer } from "@vipscore/core/wire";
import { findContract, findSmart, findStored, type AnswerOf, type ContractReader } from "./contractReader.ts";
import { initStageKey } from "./publishedState.ts";
import type {
  ContractVersionResponse,
  InitStageResponse,
  QueryMsg,
  ScoresOfResponse,
  ScoresResponse,
  StageInfoResponse,
} from "./vipScoreTypes.generated.ts";

export interface ContractFacts {
  readonly version: string | undefined;
  readonly code: string;
  readonly features: ContractFeatures;
}

/** A stage that no contract has: a query for it costs nothing. */
const lastStage = u64Max;

/**
 * Identifies the scoring contract at an address, by the queries that it answers: a contract has a message of this project
 * if it has the query that belongs to it.
 */
export async function identifyContract(reader: ContractReader, options: ReadOptions = {}): Promise<ContractFacts> {
  const at = options.height === undefined ? "" : ` at height ${options.height}`;
  const info = await findContract(reader, options);
  if (info === undefined) {
    throw new VipError(`there is no contract at ${reader.address}${at}`, {
      code: "CONTRACT_NOT_FOUND",
      metaMessages: ["Check the contract's address, and that the endpoint is the rollup's."],
    });
  }
  const has = async (message: QueryMsg, fields: readonly string[]): Promise<boolean> => {
    const read = ({ value }: Answer): boolean => isObject(value) && fields.every((field) => field in value);
    return (await findSmart(reader, message, read, options)) === true;
  };
  const readInit = (answer: AnswerOf<InitStageResponse>): unknown =>
    isObject(answer.value) ? answer.field("init_stage").value : undefined;
  const [version, first, checkedFinalize, roles] = await Promise.all([
    findSmart(reader, { get_contract_version: {} }, readContractVersion, options),
    findSmart(reader, { get_init_stage: {} }, readInit, options),
    has({ get_stage: { stage: lastStage } }, ["exists", "total_score", "count", "revision", "is_finalized"]),
    has({ get_ownership: {} }, ["owner", "pending_owner", "finalizer", "members_can_manage"]),
  ]);
  const packed = checkedFinalize && typeof first === "bigint" && (await hasPages(reader, first, options));
  const features = { checkedFinalize, packed, roles };
  if (packed || (await hasPublishedQueries(reader, options))) return { version, code: `${info.codeId}`, features };
  throw new VipError(`the contract at ${reader.address}${at} is not a scoring contract`, {
    code: "CONTRACT_NOT_FOUND",
    metaMessages: ["It has neither this project's interface nor the published one."],
  });
}

/** The version in an answer that also names a contract; undefined for any other answer. */
function readContractVersion(answer: AnswerOf<ContractVersionResponse>): string | undefined {
  if (!isObject(answer.value)) return undefined;
  const { value } = answer.field("version");
  return typeof value === "string" ? value : undefined;
}

/** Returns whether the contract has pages by the address of their first row, and scores of several accounts. */
async function hasPages(reader: ContractReader, stage: bigint, options: ReadOptions): Promise<boolean> {
  const isList = (answer: AnswerOf<ScoresOfResponse>): boolean =>
    isObject(answer.value) && Array.isArray(answer.field("scores").value);
  const pages = await Promise.all([
    findSmart(reader, { get_scores_from: { stage, limit: 1n } }, isList, options),
    findSmart(reader, { get_scores_of: { stage, addrs: [] } }, isList, options),
  ]);
  return pages.every((isThere) => isThere === true);
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
