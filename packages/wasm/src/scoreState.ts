import type {
  Account,
  ContractControl,
  PinnedOptions,
  ReadOptions,
  Score,
  ScoreRow,
  Stage,
  StageInfo,
} from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import type { AnswerOf } from "./contractReader.ts";
import type { AccountScore, ScoresFromResponse } from "./vipScoreTypes.generated.ts";
import { accountOfAddress } from "./wasmAddress.ts";

/** The state of a scoring contract; reading it differs between our contract and one with the published interface. */
export interface ScoreState {
  /** The stage, or undefined when it has not been created. */
  readonly getStage: (stage: Stage, options?: ReadOptions) => Promise<StageInfo | undefined>;
  readonly getInitStage: (options?: ReadOptions) => Promise<Stage>;
  readonly getScore: (stage: Stage, account: Account, options?: ReadOptions) => Promise<Score | undefined>;
  /** Every row of the stage in ascending order, see {@link AddressOrder}. */
  readonly getScores: (stage: Stage, options: PinnedOptions) => AsyncGenerator<readonly ScoreRow[], void, undefined>;
  readonly isMember: (account: Account, options?: ReadOptions) => Promise<boolean>;
  readonly isManager: (account: Account, options?: ReadOptions) => Promise<boolean>;
  /** The contract's roles; undefined for a contract that has only the published interface. */
  readonly getControl: (options?: ReadOptions) => Promise<ContractControl | undefined>;
  readonly getMembers: (options?: ReadOptions) => Promise<readonly Account[]>;
}

/** Rows per page: the most that our contract returns. */
export const pageRows = 1_000n;

/**
 * Ascending order of rows: on the reference contract, and in a stage that it finalized before a migration, by the texts of
 * addresses; in other stages of our contract by their bytes.
 */
export type AddressOrder = "text" | "bytes";

/** A page of rows, and the address of its last one. */
export interface RowPage {
  readonly rows: readonly ScoreRow[];
  readonly last: string | undefined;
}

/**
 * Reads a page of `{scores: [{addr, score}]}`, which must ascend from `after` (exclusive) on: a node that repeats a page
 * would make the caller's loop endless.
 */
export function readRowPage(
  answer: AnswerOf<Pick<ScoresFromResponse, "scores">>,
  after: string | undefined,
  order: AddressOrder,
): RowPage {
  let last = after;
  const rows = readList(answer, "scores").map((row: AnswerOf<AccountScore>) => {
    const address = row.field("addr");
    last = readAscending(address, last, order);
    // Contracts of the reference's shape may contain texts that are not addresses; nobody can push or prove such a row.
    return { account: readAccount(address), score: readU64(row.field("score")) };
  });
  return { rows, last };
}

/** An address that must come after another one, if there is one. */
export function readAscending(answer: Answer, after: string | undefined, order: AddressOrder): string {
  const text = answer.text();
  const keyOf = (address: string): string => (order === "text" ? address : (accountOfAddress(address) ?? address));
  return after === undefined || keyOf(text) > keyOf(after) ? text : answer.unreadable(`beyond ${after}`);
}

/** An address in a contract's answer. */
export function readAccount(answer: Answer): Account {
  return accountOfAddress(answer.value) ?? answer.unreadable("an address");
}

/** A u64 in a contract's answer, where it is a number, not a text. */
export function readU64(answer: Answer): bigint {
  return typeof answer.value === "bigint" ? answer.u64() : answer.unreadable("a u64");
}

/** A field that is a list. Unlike Go, contracts do not omit empty lists. */
export function readList<T>(answer: AnswerOf<T>, name: keyof T & string): readonly Answer[] {
  return answer.optional(name)?.list() ?? answer.field(name).unreadable("a list");
}
