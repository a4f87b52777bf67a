import { createHash } from "node:crypto";
import { u64Max, type Account } from "@vipscore/core";
import { inArea, onContract, onContractOf } from "../scenario.ts";
import type { Outcome } from "../sendTransaction.ts";
import type { BatchCall, OneScoreCall, Row } from "../subject.ts";
import { accountOf, done, expectOutcome, expectStage, refused, scored } from "./expectations.ts";

const half = 2n ** 63n;
const wraps = "the total wraps at 2^64: the largest score plus 5 gives a total of 4, which determines the shares";

export const totalScenarios = inArea("totals", "total", {
  "is-the-sum": {
    name: "after any mix of calls the total is the sum and the count the number of scores",
    rules: ["R6", "R7", "R8", "R9", "R11"],
    run: onContract(async (contract, subject) => {
      for (const { call, outcome, rows } of randomCalls(25, subject.seed)) {
        expectOutcome(await contract.call("creator", call), outcome);
        await expectStage(contract, rows);
      }
    }),
  },
  "reaches-max": {
    name: "a total of exactly 2^64 - 1 is possible, with one score or many",
    rules: ["R7", "R8"],
    run: onContractOf({ scores: [u64Max] }, async (contract) => {
      await expectStage(contract, scored(u64Max));
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: scored(half, half - 1n) });
      await expectStage(contract, scored(half, half - 1n));
      await done(contract, "creator", { kind: "updateScore", stage: 1n, account: accountOf(2), amount: 0n });
      await expectStage(contract, scored(half, half - 1n, 0n));
    }),
  },
  "overflow-by-update": {
    name: "an update that would take the total past 2^64 - 1 fails",
    rules: ["R8", "R9"],
    reference: `on EVM and Wasm ${wraps}`,
    run: onContractOf({ scores: [u64Max] }, async (contract) => {
      for (const amount of [1n, 5n, u64Max]) {
        const call = { kind: "updateScore", stage: 1n, account: accountOf(1), amount } as const;
        await refused(contract, "creator", call, "SCORE_OVERFLOW");
      }
    }),
  },
  "overflow-by-increase": {
    name: "an increase that would take the total past 2^64 - 1 fails",
    rules: ["R8", "R9"],
    reference: `on EVM and Wasm ${wraps}`,
    run: onContractOf({ scores: [u64Max - 1n] }, async (contract) => {
      const call = { kind: "increaseScore", stage: 1n, account: accountOf(1) } as const;
      await refused(contract, "creator", { ...call, amount: 2n }, "SCORE_OVERFLOW");
      await done(contract, "creator", { ...call, amount: 1n });
      await refused(contract, "creator", { ...call, amount: 1n }, "SCORE_OVERFLOW");
    }),
  },
  "score-overflow": {
    name: "an increase past 2^64 - 1 of the score itself fails",
    rules: ["R8", "R9"],
    reference: "on Wasm the score wraps: the largest increased by 1 is 0",
    run: onContractOf({ scores: [u64Max] }, async (contract) => {
      for (const amount of [1n, u64Max]) {
        const call = { kind: "increaseScore", stage: 1n, account: accountOf(0), amount } as const;
        await refused(contract, "creator", call, "SCORE_OVERFLOW");
      }
      await done(contract, "creator", { kind: "increaseScore", stage: 1n, account: accountOf(0), amount: 0n });
      await expectStage(contract, scored(u64Max));
    }),
  },
  "overflow-in-a-batch": {
    name: "a batch whose rows add up to more than 2^64 - 1 fails, in both entry points",
    rules: ["R8", "R9"],
    reference: `on EVM and Wasm ${wraps}`,
    run: onContract(async (contract) => {
      const batches = [scored(u64Max, 5n), scored(1n, u64Max), scored(half, half), scored(u64Max, u64Max, 2n)];
      for (const rows of batches) {
        for (const kind of ["updateScores", "updateScoresPacked"] as const) {
          await refused(contract, "creator", { kind, stage: 1n, rows }, "SCORE_OVERFLOW");
        }
      }
    }),
  },
  "overflow-on-the-way": {
    name: "a batch that exceeds 2^64 - 1 on the way fails although its result would fit; the other order works",
    rules: ["R8", "R9"],
    run: onContractOf({ scores: [u64Max, 0n] }, async (contract) => {
      const down = scored(u64Max - 9n);
      const up = scored(0n, 9n).slice(1);
      const raisingFirst = { kind: "updateScores", stage: 1n, rows: [...up, ...down] } as const;
      await refused(contract, "creator", raisingFirst, "SCORE_OVERFLOW");
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: [...down, ...up] });
      await expectStage(contract, scored(u64Max - 9n, 9n));
    }),
  },
  "overflow-on-the-way-packed": {
    name: "in the entry point with one event per batch either the totals on the way or only the final total must fit",
    rules: ["R8"],
    differences: [{ vm: "evm", rule: "E2", what: "only the total after the whole batch has to fit" }],
    run: onContractOf({ scores: [0n, u64Max] }, async (contract) => {
      // Ids and texts ascend from the first account to the second; the rows are sent in that order.
      const raisingFirst = { kind: "updateScoresPacked", stage: 1n, rows: scored(9n, u64Max - 9n) } as const;
      const outcome = contract.vm === "evm" ? "DONE" : "SCORE_OVERFLOW";
      expectOutcome(await contract.call("creator", raisingFirst), outcome);
      await expectStage(contract, outcome === "DONE" ? raisingFirst.rows : scored(0n, u64Max));
    }),
  },
  "not-a-float": {
    name: "totals beyond 2^53 keep their last digit",
    rules: ["R7"],
    run: onContractOf({ scores: [2n ** 53n, 1n] }, async (contract) => {
      await expectStage(contract, scored(2n ** 53n, 1n));
      const call = { kind: "finalizeStageChecked", stage: 1n, count: 2n, revision: 1n } as const;
      await refused(contract, "creator", { ...call, total: 2n ** 53n }, "FINALIZE_MISMATCH");
      await done(contract, "creator", { ...call, total: 2n ** 53n + 1n });
    }),
  },
  "checked-at-max": {
    name: "the checked finalize distinguishes 2^64 - 1 from 2^64 - 2",
    rules: ["R4", "R7"],
    run: onContractOf({ scores: [u64Max] }, async (contract) => {
      const call = { kind: "finalizeStageChecked", stage: 1n, count: 1n, revision: 1n } as const;
      await refused(contract, "creator", { ...call, total: u64Max - 1n }, "FINALIZE_MISMATCH");
      await done(contract, "creator", { ...call, total: u64Max });
    }),
  },
});

/** Accounts that the calls use: few, so that most occur repeatedly. */
const accounts = 6;

/**
 * Random calls on stage 1 with the results that rules R6 to R11 of docs/spec.md require, computed here on a map.
 */
function* randomCalls(
  count: number,
  seed: number,
): Generator<{ readonly call: ScoreCall; readonly outcome: Outcome; readonly rows: readonly Row[] }> {
  let drawn = 0;
  /** An integer from 0 to `limit` - 1, from the first bytes of a hash. */
  const below = (limit: number): number => {
    drawn += 1;
    const hash = createHash("sha256").update(`${seed} ${drawn}`).digest();
    return Math.floor((hash.readUInt32BE() / 2 ** 32) * limit);
  };
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

function randomCall(below: (limit: number) => number): ScoreCall {
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
