import { count, fits, text, type Check, type Shape } from "./checkAnswer.ts";
import { createListing, type Listing } from "./listing/createListing.ts";
import { pinnedQuery } from "./nftRoutes.ts";
import type { Indexer } from "./openIndexer.ts";
import { orNull, readScores, scorePath, stageText, u64, type ReadOptions } from "./scoreRoutes.ts";

export { getClaims, type AccountClaims, type Claim, type RegistrationClaims, type StageClaim } from "./claims.ts";
export type { ReadOptions } from "./scoreRoutes.ts";
/** A stage of the scoring contract, as an indexer of vipscore serves it; other fields are kept too. */
export interface ScoreStage {
  /** u64 in decimal, like every number of the contract here. */
  readonly stage: string;
  /** Sum of all scores. */
  readonly total: string;
  /** Number of accounts with a row, including rows of score 0. */
  readonly accounts: number;
  /** True if its scores can no longer change. */
  readonly is_finalized: boolean;
  /** Calls that have written it; null for a contract that does not count them. */
  readonly revision: string | null;
  /** SHA-256 of its table, as `vipscore export` shows it; null before the stage is finalized. */
  readonly digest: string | null;
  /** The block after which its rows were last changed: scores and ranks are those of this block. */
  readonly height: number;
}

/** An account's score in a stage. */
export interface RankedScore {
  /** 0x hex on every VM. */
  readonly account: string;
  /** u64 in decimal; 0 for an account without a row. */
  readonly score: string;
  /** 1 for the highest score; equal scores share the better rank. Null for an account without a row. */
  readonly rank: number | null;
  /** Part of the stage's total, 0 to 1. */
  readonly share: number;
}

/** An account in a stage, and the two accounts before and after it by rank. */
export interface AccountInStage extends RankedScore {
  /** The better ones, in the order of the ranks. */
  readonly above: readonly RankedScore[];
  readonly below: readonly RankedScore[];
  readonly stage: ScoreStage;
}

/** A stage with its Merkle tree, and L1's snapshot of it. */
export interface StageOnL1 extends ScoreStage {
  /** 64 hex digits, empty if no account has a score; null without a tree, as before the stage is finalized. */
  readonly root: string | null;
  /** Null before VIP's agent has submitted it, and on a server without L1. */
  readonly l1: {
    /** The registration of the rollup's bridge. */
    readonly version: string;
    readonly root: string;
    readonly total: string;
    /** Whether it is the snapshot of these scores; null without a tree. */
    readonly matches: boolean | null;
    /** Times in ISO 8601, UTC. */
    readonly submitted_at: string;
    readonly challenge_ends: string;
  } | null;
}

/** Order of a stage's accounts. */
export interface ListAccountsOptions {
  /** By score, which accounts break ties of, or by account. Default: `score`. */
  readonly orderBy?: "score" | "account" | undefined;
  /** Descending order. Default: true, the highest score first. */
  readonly reverse?: boolean | undefined;
}

const flag: Check = (value) => typeof value === "boolean";
const share: Check = (value) => typeof value === "number";
const stageShape: Shape<ScoreStage> = {
  stage: u64,
  total: u64,
  accounts: count,
  is_finalized: flag,
  revision: orNull(u64),
  digest: orNull(text),
  height: count,
};
const snapshotShape: Shape<NonNullable<StageOnL1["l1"]>> = {
  version: u64,
  root: text,
  total: u64,
  matches: orNull(flag),
  submitted_at: text,
  challenge_ends: text,
};
const scoreShape: Shape<RankedScore> = { account: text, score: u64, rank: orNull(count), share };

/**
 * Reads the stages of the indexer's scoring contract, the newest first.
 *
 * @throws IndexerRequestError; the signal's reason when aborted.
 * @example
 * const [newest] = await getStages(indexer);
 */
export async function getStages(indexer: Indexer, options?: ReadOptions): Promise<readonly ScoreStage[]> {
  const answer = await readScores<{ readonly stages: readonly ScoreStage[] }>(indexer, scorePath("stages"), options, {
    stages: [stageShape],
  });
  return answer.stages;
}

/**
 * Reads a stage.
 *
 * @param stage Its number, 1 to 2^64 - 1.
 * @throws IndexerNotFoundError if the contract does not have it; another IndexerRequestError; the signal's reason when aborted.
 */
export function getStage(indexer: Indexer, stage: bigint | number | string, options?: ReadOptions): Promise<StageOnL1> {
  const shape: Shape<StageOnL1> = { ...stageShape, root: orNull(text), l1: orNull(fits(snapshotShape)) };
  return readScores(indexer, scorePath("stages", stageText(stage)), options, shape);
}

/**
 * The accounts of a stage. Pages continue after a row, so that they neither repeat nor miss rows that do not move.
 *
 * @example
 * const { items } = await listAccounts(indexer, 12n).page({ limit: 10 });
 */
export function listAccounts(
  indexer: Indexer,
  stage: bigint | number | string,
  { orderBy = "score", reverse }: ListAccountsOptions = {},
): Listing<RankedScore> {
  return createListing(indexer, {
    path: scorePath("stages", stageText(stage), "accounts"),
    field: "accounts",
    shape: scoreShape,
    query: pinnedQuery(reverse, { order_by: orderBy }),
    keyAfter: ({ account, score }) => btoa(JSON.stringify({ score, account })),
  });
}

/**
 * Reads an account's score and rank in a stage.
 *
 * @param account `0x` hex, hex or bech32. An account without a row has the score 0 and no rank.
 * @throws IndexerNotFoundError if the contract does not have the stage; another IndexerRequestError; RangeError for an empty
 * account; the signal's reason when aborted.
 * @example
 * const { score, rank } = await getAccount(indexer, 12n, "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz");
 */
export function getAccount(
  indexer: Indexer,
  stage: bigint | number | string,
  account: string,
  options?: ReadOptions,
): Promise<AccountInStage> {
  const neighbors = [scoreShape] as const;
  const shape: Shape<AccountInStage> = { ...scoreShape, above: neighbors, below: neighbors, stage: stageShape };
  return readScores(indexer, scorePath("stages", stageText(stage), "accounts", account), options, shape);
}

/** Reads an account's score and rank in every stage in which it has a row, the newest first. @throws like `getAccount`. */
export async function getAccountStages(
  indexer: Indexer,
  account: string,
  options?: ReadOptions,
): Promise<readonly (ScoreStage & Omit<RankedScore, "account">)[]> {
  const { account: _, ...ofRow } = scoreShape;
  const shape = { stages: [{ ...stageShape, ...ofRow }] } as const;
  type Answer = { readonly stages: readonly (ScoreStage & Omit<RankedScore, "account">)[] };
  return (await readScores<Answer>(indexer, scorePath("accounts", account), options, shape)).stages;
}
