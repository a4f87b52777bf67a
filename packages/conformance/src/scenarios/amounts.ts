import type { DeployedContract, Row, Subject, SubjectCall } from "../subject.ts";
import { scored } from "./expectations.ts";

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
  ...[1n, 10n, 100n, 1_000n, 2_520n, 10_000n, 10n ** 6n, 10n ** 9n, 10n ** 12n].map((step) => [0n, step] as const),
  ...[10n, 100n, 1_000n, 10_000n].flatMap((base) => [[base, 1n] as const, [base, base / 10n] as const]),
];

const found = new WeakMap<Subject, Promise<Amounts>>();

/** Returns scores that the contract takes, found by trial at the first call. @throws NotTried if it refuses all. */
export function amountsOf(subject: Subject): Promise<Amounts> {
  const amounts = found.get(subject) ?? findAmounts(subject);
  found.set(subject, amounts);
  return amounts;
}

async function findAmounts(subject: Subject): Promise<Amounts> {
  for (const [base, step] of tried) {
    const score = (number: bigint) => base + number * step;
    const rows = (...numbers: readonly bigint[]) => scored(...numbers.map(score));
    const contract = await subject.deploy();
    const batch = { kind: "updateScores", stage: 1n, rows: rows(1n, 8n, 10n, most) } as const;
    const ones = batch.rows.map((row) => ({ ...batch, kind: "updateScore", ...row, amount: row.score }) as const);
    // A batch that alone is refused is a fault.
    const takes = (await takesAll(contract, [batch])) || (await takesAll(contract, ones));
    if (takes) return { score, change: (number) => number * step, rows };
  }
  const scores = "of 1 to 30, and of these times ten, a hundred and up to 10^12";
  throw new NotTried(`not tried: the contract refuses rows with scores ${scores}`);
}

async function takesAll(contract: DeployedContract, calls: readonly SubjectCall[]): Promise<boolean> {
  for (const call of calls) if ((await contract.call("creator", call)).outcome !== "DONE") return false;
  return true;
}
