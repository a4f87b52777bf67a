import { CheckError, type Account, type Score } from "@vipscore/core";
import type { QueryRows } from "./queryJob.ts";
import { ScoreReader } from "./scoreReader.ts";

/** Compares the rows of a further run with those of the first one, which came in the same order, without keeping them. */
export class ScoreComparison {
  readonly #first: ReadonlyMap<Account, Score>;
  readonly #expected: Iterator<[Account, Score], undefined>;
  /** The first row that differs and all rows after it, of either run. */
  #rest: { readonly expected: Map<Account, Score>; readonly found: ScoreReader } | undefined;

  constructor(first: ReadonlyMap<Account, Score>) {
    this.#first = first;
    this.#expected = first.entries();
  }

  /** @throws InputError `POLICY_REFUSED`, as {@link ScoreReader.add}. */
  add({ addresses, scores }: QueryRows): void {
    for (const [row, address] of addresses.entries()) {
      const score = scores[row] ?? null;
      if (this.#rest === undefined) {
        const next = this.#expected.next().value;
        if (next !== undefined && isSame(next, address, score)) continue;
        this.#rest = { expected: this.#remaining(next), found: new ScoreReader() };
      }
      this.#rest.found.add({ addresses: [address], scores: [score] });
    }
  }

  /** @throws CheckError `POLICY_NOT_DETERMINISTIC` with the first account that differs. */
  finish(): void {
    const { expected, found } = this.#rest ?? { expected: this.#remaining(), found: new ScoreReader() };
    const accounts = new Set([...expected.keys(), ...found.scores.keys()]);
    const different = [...accounts].filter((account) => expected.get(account) !== found.scores.get(account)).sort();
    const [first] = different;
    if (first === undefined) return;
    const [one, other] = [this.#first.get(first), found.scores.get(first)].map((score) =>
      score === undefined ? "no row" : `${score}`,
    );
    throw new CheckError(`two runs of the policy give ${first} different scores: ${one} and ${other}`, {
      code: "POLICY_NOT_DETERMINISTIC",
      metaMessages: [
        `${different.length.toLocaleString("en-US")} accounts differ when the rows of the sources come in another order.`,
        "Give ORDER BY a unique key in LIMIT, window functions, first() and string_agg().",
      ],
    });
  }

  #remaining(next?: [Account, Score]): Map<Account, Score> {
    const remaining = new Map(next === undefined ? [] : [next]);
    for (let entry = this.#expected.next(); entry.done !== true; entry = this.#expected.next())
      remaining.set(...entry.value);
    return remaining;
  }
}

/** Nearly every row has the text of the first run, and is not parsed again. */
function isSame([account, score]: [Account, Score], address: string | null, found: string | null): boolean {
  if (address === account) return found === `${score}`;
  const other = new ScoreReader();
  other.add({ addresses: [address], scores: [found] });
  return other.scores.get(account) === score;
}
