import { u64Max, type Account } from "@vipscore/core";
import { seededRandom, type SeededRandom } from "../seededRandom.ts";
import type { Outcome } from "../subject.ts";
import type { BatchCall, OneScoreCall, Row } from "../subjectCall.ts";
import { accountOf } from "./expectations.ts";

/** A call, its expected outcome, and all rows of stage 1 afterwards. */
interface ModelStep {
  readonly call: ScoreCall;
  readonly outcome: Outcome;
  readonly rows: readonly Row[];
}

/** Accounts that the calls use: few, so that most occur repeatedly. */
const accounts = 6;

/**
 * Random calls on stage 1 with the results that rules R6 to R11 of docs/spec.md require, computed here on a map.
 */
export function* randomCalls(count: number, seed: number): Generator<ModelStep> {
  const { below } = seededRandom(seed);
  let scores = new Map<Account, bigint>();
  for (let step = 0; step < count; step += 1) {
    const call = randomCall(below);
    const after = new Map(scores);
    const outcome = apply(after, call);
    if (outcome === "DONE") scores = after;
    yield { call, outcome, rows: [...scores].map(([account, score]) => ({ account, score })) };
  }
}

type ScoreCall = OneScoreCall | BatchCall;

function randomCall(below: SeededRandom["below"]): ScoreCall {
  // Small numbers collide with each other, large numbers with the limit of u64.
  const amounts = [0n, 1n, 2n, 3n, 10n, 2n ** 53n + 1n, 2n ** 63n, u64Max - 1n, u64Max];
  const account = (): Account => accountOf(below(accounts));
  const amount = (): bigint => amounts[below(amounts.length)] ?? 0n;
  const kinds = ["updateScore", "increaseScore", "decreaseScore"] as const;
  const kind = kinds[below(kinds.length + 1)];
  if (kind !== undefined) return { kind, stage: 1n, account: account(), amount: amount() };
  const rows = Array.from({ length: below(5) }, () => ({ account: account(), score: amount() }));
  return { kind: "updateScores", stage: 1n, rows };
}

function apply(scores: Map<Account, bigint>, call: ScoreCall): Outcome {
  const rows = "rows" in call ? call.rows : [{ account: call.account, score: call.amount }];
  for (const { account, score: amount } of rows) {
    const current = scores.get(account) ?? 0n;
    let next = amount;
    if (call.kind === "increaseScore") next = current + amount;
    if (call.kind === "decreaseScore") next = current - amount;
    if (next < 0n) return "INSUFFICIENT_SCORE";
    scores.set(account, next);
    const total = [...scores.values()].reduce((sum, score) => sum + score, 0n);
    if (next > u64Max || total > u64Max) return "SCORE_OVERFLOW";
  }
  return "DONE";
}
