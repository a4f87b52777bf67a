import {
  account,
  countSchema,
  errorsOr404,
  height,
  hexAddress,
  inPath,
  inQuery,
  keptRoute,
  listing,
  objectSchema,
  ref,
  text,
  textOrNull,
} from "./openApiParts.ts";

const base = "/scores/v1";

const u64 = { type: "string", pattern: "^[0-9]{1,20}$" } as const;

const stage = inPath("stage", u64, "Number of a stage, from 1");

const orderBy = inQuery(
  "order_by",
  { type: "string", enum: ["score", "account"], default: "score" },
  "By score, accounts break ties; by account, in the order of their bytes",
);

const ofStage = errorsOr404("stage not found: the contract does not have it");

const ofL1 = errorsOr404("claims not found: the server has no L1 endpoint");

function answer(summary: string, parameters: readonly object[], schema: object, others?: object) {
  return keptRoute(summary, parameters, ["The answer", schema], others);
}

export const scorePaths = {
  "/": {
    get: {
      summary: "A page with the leaderboard and a search",
      responses: { "200": { description: "HTML", content: { "text/html; charset=utf-8": { schema: text } } } },
    },
  },
  [`${base}/stages`]: answer(
    "The contract, and its stages, the newest first",
    [],
    objectSchema({ stages: { type: "array", items: ref("ScoreStage") } }),
  ),
  [`${base}/stages/{stage}`]: answer("One stage, and L1's snapshot of it", [stage], ref("StageOnL1"), ofStage),
  [`${base}/stages/{stage}/accounts`]: listing(
    "Accounts of a stage with their ranks, 1 for the highest score",
    "accounts",
    "RankedScore",
    [stage, orderBy],
    ofStage,
  ),
  [`${base}/stages/{stage}/accounts/{account}`]: answer(
    "An account's score in a stage, and its neighbors by rank",
    [stage, account],
    ref("AccountInStage"),
    ofStage,
  ),
  [`${base}/accounts/{account}`]: answer(
    "The stages in which an account has a score, the newest first",
    [account],
    objectSchema({ account: hexAddress, stages: { type: "array", items: ref("ScoreStage") } }),
  ),
  [`${base}/accounts/{account}/claims`]: answer(
    "What an account can claim on L1, and the transaction that claims it; at most 10 s old",
    [account],
    ref("AccountClaims"),
    ofL1,
  ),
  "/vesting/positions/{account}": answer(
    "The same under the names that Initia's wallet kit reads; numbers from 2^53 on are rounded",
    [account],
    { type: "array", items: { type: "object" } },
    ofL1,
  ),
};

const score = { ...u64, description: "The contract's score, u64; 0 without one" } as const;
const share = { type: "number", minimum: 0, maximum: 1, description: "Part of the stage's total" } as const;
const rank = {
  type: "integer",
  minimum: 1,
  description: "1 for the highest score; equal scores share the better rank",
} as const;

const u64OrNull = { ...u64, type: ["string", "null"] } as const;
const hashOrNull = { type: ["string", "null"], pattern: "^(?:[0-9a-f]{64})?$" } as const;
const time = { type: "string", format: "date-time" } as const;
const neighbors = { type: "array", maxItems: 2, items: ref("RankedScore") } as const;

export const scoreSchemas = {
  ScoreStage: objectSchema({
    stage: u64,
    total: { ...u64, description: "Sum of all scores, u64" },
    accounts: countSchema("Accounts with a row, also of score 0"),
    is_finalized: { type: "boolean", description: "Whether its scores can no longer change" },
    revision: textOrNull("Calls that have written it, u64; null for a contract without it"),
    digest: textOrNull("SHA-256 of its table, once it is finalized"),
    height: { ...height, description: "Block after which its rows were last changed: every row and rank is as of it" },
  }),
  StageOnL1: objectSchema({
    stage: u64,
    root: { ...hashOrNull, description: "Root of its Merkle tree, empty without leaves; null without a tree" },
    l1: {
      type: ["object", "null"],
      description: "L1's snapshot: version, root, total, matches, submitted_at, challenge_ends; null without one",
    },
  }),
  AccountClaims: objectSchema({
    account: hexAddress,
    l1: objectSchema({ chain_id: text, height, time, stage: u64, bridge_id: u64, denom: text }),
    registrations: { type: "array", items: ref("RegistrationClaims") },
  }),
  RegistrationClaims: objectSchema({
    version: u64,
    first_stage: u64,
    last_stage: u64OrNull,
    last_claimed_stage: u64OrNull,
    stages: { type: "array", items: ref("StageClaim"), description: "With a snapshot on L1, the newest first" },
    claim: {
      type: ["object", "null"],
      description:
        "stages, what it pays, loses and opens, never_paid, and the transaction without signatures; null if there is nothing to claim now",
    },
    waits_for: textOrNull("Why no later stage can be claimed now"),
  }),
  StageClaim: objectSchema({
    stage: u64,
    status: { type: "string", enum: ["claimed", "open", "challengeable", "differs", "unfunded", "unknown"] },
    score: u64OrNull,
    total: u64,
    root: text,
    challenge_ends: time,
    leaf: hashOrNull,
    proof: { type: "array", items: text, description: "Hashes from the leaf up, in hex" },
    reward: { ...u64OrNull, description: "In the smallest unit of l1.denom, as all amounts" },
    part: { ...u64OrNull, description: "The most that the claim of a later stage pays of it" },
    minimum_score: { ...u64OrNull, description: "The score of a later stage that is enough for the whole part" },
    end_stage: { ...u64OrNull, description: "The stage whose claim pays the last part" },
    remaining: { ...u64, description: "What of the reward is neither paid nor lost" },
  }),
  RankedScore: objectSchema({ account: hexAddress, score, rank, share }),
  AccountInStage: objectSchema({
    account: hexAddress,
    score,
    rank: { ...rank, type: ["integer", "null"] },
    share,
    above: { ...neighbors, description: "The two before it, the better one first" },
    below: neighbors,
    stage: ref("ScoreStage"),
  }),
} as const;
