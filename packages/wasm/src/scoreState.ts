import type { Account, ContractControl, ReadOptions, Score, ScoreRow, Stage, StageInfo } from "@vipscore/core";
import { asObject, readList, readText, readU64, unreadable, type Answer, type Source } from "./readField.ts";
import type { ScoresFromResponse } from "./vipScoreTypes.generated.ts";
import { accountOfAddress } from "./wasmAddress.ts";

/** What a scoring contract holds; our contract and one of the published interface are asked in different ways. */
export interface ScoreState {
  /** The stage, or undefined when it has not been created. */
  getStage(stage: Stage, options?: ReadOptions): Promise<StageInfo | undefined>;
  getInitStage(options?: ReadOptions): Promise<Stage>;
  getScore(stage: Stage, account: Account, options?: ReadOptions): Promise<Score | undefined>;
  /** Every row of the stage in ascending order of the address's text. */
  getScores(
    stage: Stage,
    options: { readonly height: bigint; readonly signal?: AbortSignal },
  ): AsyncGenerator<readonly ScoreRow[], void, undefined>;
  isMember(account: Account, options?: ReadOptions): Promise<boolean>;
  isManager(account: Account, options?: ReadOptions): Promise<boolean>;
  /** Who can change what; undefined for a contract that has only the published interface. */
  getControl(options?: ReadOptions): Promise<ContractControl | undefined>;
  getMembers(options?: ReadOptions): Promise<readonly Account[]>;
}

/** Rows of one page: the most that our contract gives. */
export const pageRows = 1_000n;

/** A page of rows, and the address of its last one. */
export interface RowPage {
  readonly rows: readonly ScoreRow[];
  readonly last: string | undefined;
}

/**
 * Reads a page of `{scores: [{addr, score}]}` that has to ascend from `after` (exclusive) on: a node that gives the same
 * page again would be asked for ever.
 */
export function readRowPage(
  source: Source,
  answer: Answer<Pick<ScoresFromResponse, "scores">>,
  after: string | undefined,
): RowPage {
  let last = after;
  const rows = readList(source, answer, "scores").map((entry) => {
    const row = asObject(source, "row", entry);
    const address = readText(source, row, "addr");
    if (last !== undefined && address <= last) return unreadable(source, "order of rows", `${address} after ${last}`);
    last = address;
    // Contracts of the reference's shape also hold texts that are no address; nobody can push or prove such a row.
    const account = accountOfAddress(address) ?? unreadable(source, "address of a row", address);
    return { account, score: readU64(source, row, "score") };
  });
  return { rows, last };
}

/** An address that a contract names. @throws NodeError `NODE_BAD_RESPONSE` where it is none. */
export function readAccount(source: Source, value: unknown): Account {
  return accountOfAddress(value) ?? unreadable(source, "address", value);
}
