import { count, fits, text, type Shape } from "./checkAnswer.ts";
import type { Indexer } from "./openIndexer.ts";
import { orNull, readScores, scorePath, u64, type ReadOptions } from "./scoreRoutes.ts";

/** What an account can claim on L1. Amounts are in the smallest unit of {@link AccountClaims.l1}'s token, in decimal. */
export interface AccountClaims {
  /** 0x hex. */
  readonly account: string;
  /** L1 when it was read. */
  readonly l1: {
    readonly chain_id: string;
    readonly height: number;
    /** Time of that block in ISO 8601, UTC. */
    readonly time: string;
    /** Its current stage. */
    readonly stage: string;
    readonly bridge_id: string;
    readonly denom: string;
  };
  /** The registrations of the rollup's bridge with VIP, the newest first. */
  readonly registrations: readonly RegistrationClaims[];
}

/** What an account can claim of a registration. */
export interface RegistrationClaims {
  readonly version: string;
  readonly first_stage: string;
  /** Null while the rollup is registered. */
  readonly last_stage: string | null;
  /** Null before the account's first claim. */
  readonly last_claimed_stage: string | null;
  /** Those with a snapshot on L1, the newest first. */
  readonly stages: readonly StageClaim[];
  /** Null if there is nothing to claim now. */
  readonly claim: Claim | null;
  /** Why no later stage can be claimed now; null if there is none. */
  readonly waits_for: string | null;
}

/** An account's stage with a snapshot on L1. */
export interface StageClaim {
  readonly stage: string;
  /**
   * `claimed` also if a first claim from a later stage gave it up, which L1 does not tell apart; `challengeable` before the end of
   * its challenge period; `differs` if the snapshot is not that of the contract's scores; `unfunded` if L1 has set nothing aside
   * for it; `unknown` if the server does not have its scores.
   */
  readonly status: "claimed" | "open" | "challengeable" | "differs" | "unfunded" | "unknown";
  readonly score: string | null;
  readonly total: string;
  readonly root: string;
  readonly challenge_ends: string;
  /** Hash of the account's leaf, which the proof leads from to the root; null without a score. */
  readonly leaf: string | null;
  readonly proof: readonly string[];
  readonly reward: string | null;
  /** The most that the claim of a later stage pays of the reward. */
  readonly part: string | null;
  /** The score of a later stage that is enough for the whole part. */
  readonly minimum_score: string | null;
  /** The stage whose claim pays the last part. */
  readonly end_stage: string | null;
  /** What of the reward is neither paid nor lost. */
  readonly remaining: string;
}

/** A claim of all stages that L1 takes now. */
export interface Claim {
  readonly stages: readonly string[];
  /** What it pays of earlier rewards. */
  readonly pays: string;
  /** What it loses of them for good, because a score is below their minimum. */
  readonly loses: string;
  /** The rewards of its stages, which later claims pay. */
  readonly opens: string;
  /** What of these is never paid, because the registration has ended. */
  readonly never_paid: string;
  /** Without signatures, in the JSON of the Cosmos CLI, for L1. */
  readonly transaction: object;
}

const claimShape: Shape<Claim> = {
  stages: [u64],
  pays: u64,
  loses: u64,
  opens: u64,
  never_paid: u64,
  transaction: {},
};
const claimsShape: Shape<AccountClaims> = {
  account: text,
  l1: { chain_id: text, height: count, time: text, stage: u64, bridge_id: u64, denom: text },
  registrations: [
    {
      version: u64,
      first_stage: u64,
      last_stage: orNull(u64),
      last_claimed_stage: orNull(u64),
      stages: [
        {
          stage: u64,
          status: text,
          score: orNull(u64),
          total: u64,
          root: text,
          challenge_ends: text,
          leaf: orNull(text),
          proof: [text],
          reward: orNull(u64),
          part: orNull(u64),
          minimum_score: orNull(u64),
          end_stage: orNull(u64),
          remaining: u64,
        },
      ],
      claim: orNull(fits(claimShape)),
      waits_for: orNull(text),
    },
  ],
};

/**
 * Reads what an account can claim on L1 for its scores, and the transaction that claims it.
 *
 * @throws IndexerNotFoundError if the server has no L1 endpoint; another IndexerRequestError; RangeError for an empty account; the
 * signal's reason when aborted.
 * @example
 * const { registrations } = await getClaims(indexer, "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz");
 */
export function getClaims(indexer: Indexer, account: string, options?: ReadOptions): Promise<AccountClaims> {
  return readScores(indexer, scorePath("accounts", account, "claims"), options, claimsShape);
}
