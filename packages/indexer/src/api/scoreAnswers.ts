import { stage as toStage, u64Max, type Account, type ContractIdentity, type Stage } from "@vipscore/core";
import { accountOf as accountOfHex } from "@vipscore/core/engine";
import { challengeEnd, isSame, type BridgeOnL1 } from "@vipscore/l1";
import type { StoredStage } from "../store/scores/scores.ts";
import type { StageRows } from "../store/scores/stageRows.ts";
import type { Body } from "./keptAnswers.ts";
import type { Listing } from "./pageAnswer.ts";
import { accountOf, BadRequest, readPagination } from "./requestParameters.ts";
import type { OpenedStage, ScoreIndex } from "./scoreIndex.ts";

/** A row at its place in the order of scores. */
interface RankedRow {
  readonly account: Account;
  readonly score: bigint;
  /** 1 for the highest score; equal scores share the better rank. */
  readonly rank: number;
}

/** Neighbors of an account in each direction. */
const neighbors = 2;

/** `stages`: the newest first. */
export async function listStages(index: ScoreIndex): Promise<string> {
  const scores = await index.read();
  return JSON.stringify({
    contract: scores && contractJson(scores.contract),
    stages: (scores?.stages ?? []).toReversed().map(stageJson),
  });
}

/** `stages/{stage}`; undefined if the contract does not have it. */
export async function getStage(
  index: ScoreIndex,
  text: string,
  view: BridgeOnL1 | undefined,
): Promise<string | undefined> {
  const scores = await index.read();
  const stage = scores?.stages.find((each) => each.stage === stageOf(text));
  if (scores === undefined || stage === undefined) return undefined;
  return JSON.stringify({
    contract: contractJson(scores.contract),
    ...stageJson(stage),
    root: stage.root ?? null,
    l1: snapshotJson(stage, view),
  });
}

/** L1's snapshot of a stage; null without one, or without L1. */
function snapshotJson({ stage, total, root }: StoredStage, view: BridgeOnL1 | undefined) {
  const { bridge, snapshot } = view?.stages.findLast((each) => each.stage === stage) ?? {};
  if (bridge === undefined || snapshot === undefined || view === undefined) return null;
  return {
    version: String(bridge.version),
    root: snapshot.root,
    total: String(snapshot.total),
    matches: root === undefined ? null : isSame(snapshot, { stage, total, root: root === "" ? undefined : root }),
    submitted_at: snapshot.createdAt,
    challenge_ends: challengeEnd(snapshot, view.current),
  };
}

/** `stages/{stage}/accounts`. */
export async function accountListing(
  index: ScoreIndex,
  text: string,
  query: URLSearchParams,
): Promise<(Listing<RankedRow, Pick<RankedRow, "account" | "score">> & Pick<OpenedStage, "stage">) | undefined> {
  const orderBy = query.get("order_by") || "score";
  if (orderBy !== "score" && orderBy !== "account")
    throw new BadRequest(`invalid order_by value '${orderBy}', must be one of: score, account`);
  const pagination = readPagination(query);
  const opened = await index.open(stageOf(text));
  if (opened === undefined) return undefined;
  const { rows } = opened;
  return {
    stage: opened.stage,
    field: "accounts",
    pagination,
    readAfter: ({ account, score }) => {
      if (typeof account !== "string" || typeof score !== "string" || !/^\d{1,20}$/.test(score)) return undefined;
      return { account: accountOfHex(accountOf(account)), score: BigInt(score) };
    },
    keyAfter: ({ account, score }) => ({ score: String(score), account }),
    read: async ({ place, limit, reverse }) => {
      const start = "offset" in place ? Number(place.offset) : rows.countUpTo(place.after, orderBy, reverse);
      return rowsFrom(rows, orderBy, reverse, start, limit);
    },
    count: async () => rows.size,
    toJson: (row) => JSON.stringify(rowJson(row, opened.stage)),
    // Ranks move: a key of a row neither skips nor repeats those that do not.
    alwaysKeyset: true,
  };
}

/** `stages/{stage}/accounts/{account}`; undefined if the contract does not have the stage. */
export async function getAccountInStage(index: ScoreIndex, text: string, spelled: string): Promise<Body | undefined> {
  const account = accountOfHex(accountOf(spelled));
  const opened = await index.open(stageOf(text));
  if (opened === undefined) return undefined;
  const { stage, rows } = opened;
  const json = accountJson(opened, account);
  const position = rows.find(account);
  const place =
    position === undefined ? undefined : rows.countUpTo({ account, score: rows.at(position).score }, "score", true);
  const near = (from: number) =>
    place === undefined
      ? []
      : rowsFrom(rows, "score", true, Math.max(0, from), from < 0 ? neighbors + from : neighbors).map((row) =>
          rowJson(row, stage),
        );
  const answer = {
    ...json,
    above: near((place ?? 0) - 1 - neighbors),
    below: near(place ?? 0),
    stage: stageJson(stage),
  };
  return ofStage(stage, JSON.stringify(answer));
}

/** The body of an answer about the rows of a stage, which are final with it. */
export function ofStage({ isFinalized }: StoredStage, text: string): Body {
  return isFinalized ? { final: text } : text;
}

/** `accounts/{account}`: the stages in which it has a row, the newest first. */
export async function getAccount(index: ScoreIndex, spelled: string): Promise<string> {
  const account = accountOfHex(accountOf(spelled));
  const stages: object[] = [];
  const scores = await index.read();
  for (const { stage } of scores?.stages.toReversed() ?? []) {
    const opened = await index.open(stage, scores);
    if (opened?.rows.find(account) === undefined) continue;
    const { account: _, ...json } = accountJson(opened, account);
    stages.push({ ...stageJson(opened.stage), ...json });
  }
  return JSON.stringify({ account, stages });
}

function stageOf(text: string): Stage {
  if (/^\d{1,20}$/.test(text) && BigInt(text) > 0n && BigInt(text) <= u64Max) return toStage(text);
  throw new BadRequest(`stage '${text}' is not an integer from 1 to ${u64Max}`);
}

/** Rows from a place on in the order of scores or accounts, or in its reverse. */
function rowsFrom(
  rows: StageRows,
  orderBy: "score" | "account",
  reverse: boolean,
  start: number,
  limit: number,
): readonly RankedRow[] {
  const found: RankedRow[] = [];
  for (let at = start; at < Math.min(rows.size, start + limit); at += 1) {
    const place = reverse ? rows.size - 1 - at : at;
    const row = rows.at(orderBy === "score" ? (rows.byScore[place] ?? 0) : place);
    const before = found.at(-1);
    found.push({ ...row, rank: before?.score === row.score ? before.rank : rows.rankOf(row.score) });
  }
  return found;
}

function contractJson({ vm, chainId, address }: ContractIdentity) {
  return { vm, chain_id: chainId, address };
}

function stageJson({ stage, total, accounts, revision, isFinalized, digest, height }: StoredStage) {
  return {
    stage: String(stage),
    total: String(total),
    accounts,
    is_finalized: isFinalized,
    revision: revision === undefined ? null : String(revision),
    digest: digest ?? null,
    height,
  };
}

function rowJson({ account, score, rank }: RankedRow, { total }: StoredStage) {
  return { account, score: String(score), rank, share: shareOf(score, total) };
}

function accountJson({ stage, rows }: OpenedStage, account: Account) {
  const score = rows.get(account);
  if (score === undefined) return { account, score: "0", rank: null, share: 0 };
  return rowJson({ account, score, rank: rows.rankOf(score) }, stage);
}

/** Part of the total, exact to 15 digits; 0 of nothing. */
function shareOf(score: bigint, total: bigint): number {
  return total === 0n ? 0 : Number(score) / Number(total);
}
