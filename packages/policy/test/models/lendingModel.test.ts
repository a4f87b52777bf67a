import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import type { SourceColumn } from "../../src/index.ts";
import { alice, bob } from "../policyFolder.ts";
import { addTo, place, rowsSource, runExample } from "./exampleRun.ts";

const names = ["supplies", "withdrawals", "loans", "repayments"] as const;
const [firstHeight, lastHeight] = [50, 120];
const columns = [
  { name: "account", type: "address" },
  { name: "amount", type: "integer" },
  place("height"),
] as const satisfies readonly SourceColumn[];

/** A change of an account's position: its kind, and its height before or in the window. */
interface Change {
  readonly name: (typeof names)[number];
  readonly account: string;
  readonly amount: bigint;
  readonly height: number;
}

/** Counts block by block what each account has supplied and borrowed after it, as docs/policy.md describes the example. */
function model(changes: readonly Change[]): ReadonlyMap<string, bigint> {
  const totals = new Map<string, bigint>();
  for (let block = firstHeight; block <= lastHeight; block += 1) {
    for (const { name, account, amount, height } of changes) {
      if (height > block) continue;
      const weight = name === "loans" || name === "repayments" ? 2n : 1n;
      const isMore = name === "supplies" || name === "loans";
      addTo(totals, account, isMore ? weight * amount : -weight * amount);
    }
  }
  const scores = [...totals].map(([account, total]) => [account, total / 1_000_000n] as const);
  return new Map(scores.filter(([, score]) => score > 0n));
}

const changeLists = fc.array(
  fc.record<Change>({
    name: fc.constantFrom(...names),
    account: fc.constantFrom(alice, bob),
    amount: fc.bigInt(1n, 10n ** 12n),
    height: fc.integer({ min: 1, max: lastHeight }),
  }),
  { minLength: 20, maxLength: 150 },
);

test("the example lending gives the scores of an independent model", async () => {
  const ends = ["first_height", "last_height"].map(place);
  const window = rowsSource("policy_window", ends, [[BigInt(firstHeight), BigInt(lastHeight)]]);
  await fc.assert(
    fc.asyncProperty(changeLists, async (changes) => {
      const sources = names.map((name) => {
        const own = changes.filter((change) => change.name === name);
        const rows = own.map(({ account, amount, height }) => [account, amount, BigInt(height)]);
        return rowsSource(name, columns, rows);
      });
      expect(await runExample("lending", [...sources, window])).toEqual(model(changes));
    }),
    { seed: fuzzSeed(), numRuns: fuzzRuns(4) },
  );
});
