import type { DeployedContract, Row, Subject, SubjectCall } from "../subject.ts";
import { accountOf, scored } from "./expectations.ts";

/** A scenario that cannot judge a contract: the contract may refuse what the scenario needs. */
export class NotTried extends Error {
  override readonly name = "NotTried";
}

/** The scores that a contract takes, by the numbers 1 to {@link most} of the scenarios. */
export interface Amounts {
  readonly score: (number: bigint) => bigint;
  /** The difference of two scores, whose numbers differ by so much. */
  readonly change: (number: bigint) => bigint;
  /** Rows for the accounts 0, 1, … with the scores of these numbers. */
  readonly rows: (...numbers: readonly bigint[]) => readonly Row[];
}

/** The largest number of a scenario. Low, because a contract may refuse high scores. */
export const most = 30n;

/** The score of the number 0, and the step to the next: for a minimum, for scores that are multiples, and for a range of few. */
const tried: readonly (readonly [base: bigint, step: bigint])[] = [
  [0n, 1n],
  ...[10n, 100n, 1_000n, 2_520n, 10_000n, 10n ** 6n, 10n ** 9n, 10n ** 12n].map((step) => [0n, step] as const),
  ...[10n, 100n, 1_000n, 10_000n].flatMap((base) => [[base, 1n] as const, [base, base / 10n] as const]),
];

const found = new WeakMap<Subject, Promise<Amounts>>();

/**
 * Returns scores that the contract takes, found by trial at the first call.
 *
 * @throws NotTried if it refuses all, as one with a list of accounts or a pause does.
 */
export function amountsOf(subject: Subject): Promise<Amounts> {
  const amounts = found.get(subject) ?? findAmounts(subject);
  found.set(subject, amounts);
  return amounts;
}

async function findAmounts(subject: Subject): Promise<Amounts> {
  let batchAlone: Amounts | undefined;
  for (const [base, step] of tried) {
    const score = (number: bigint) => base + number * step;
    const rows = (...numbers: readonly bigint[]) => scored(...numbers.map(score));
    const amounts = { score, change: (number: bigint) => number * step, rows };
    const taken = await countTaken(await subject.deploy(), amounts);
    if (taken === callsOf(amounts).length) return amounts;
    if (taken > 0) batchAlone ??= amounts;
  }
  if (batchAlone !== undefined) return batchAlone;
  throw new NotTried(
    "not tried: the contract refuses rows with scores of 1 to 30, and of the same numbers times ten, a hundred and up to 10^12",
  );
}

function callsOf({ score, change, rows }: Amounts): readonly SubjectCall[] {
  const one = { stage: 1n, account: accountOf(0) };
  return [
    { kind: "updateScores", stage: 1n, rows: rows(1n, 8n, 10n, most) },
    { kind: "updateScore", ...one, amount: score(11n) },
    { kind: "increaseScore", ...one, amount: change(1n) },
    { kind: "decreaseScore", ...one, amount: change(1n) },
  ];
}

/** Returns how many of the calls succeed, up to the first that does not. */
async function countTaken(contract: DeployedContract, amounts: Amounts): Promise<number> {
  let taken = 0;
  for (const call of callsOf(amounts)) {
    if ((await contract.call("creator", call)).outcome !== "DONE") break;
    taken += 1;
  }
  return taken;
}
