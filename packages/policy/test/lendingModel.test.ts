import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { writeSource } from "../src/data/writeSource.ts";
import { exampleFiles, readPolicy, runPolicy, type PolicySource, type SourceColumn } from "../src/index.ts";
import { batchesOf } from "./batchesOf.ts";
import { alice, bob, openPolicyFolder } from "./policyFolder.ts";

const names = ["supplies", "withdrawals", "loans", "repayments"] as const;
const [firstHeight, lastHeight] = [50, 120];
const columns = [
  { name: "account", type: "address" },
  { name: "amount", type: "integer" },
  { name: "height", type: "integer", stored: "bigint" },
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
      totals.set(account, (totals.get(account) ?? 0n) + (isMore ? weight * amount : -weight * amount));
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
  { maxLength: 40 },
);

function sourceOf(name: string, own: readonly SourceColumn[], rows: readonly (readonly (string | bigint)[])[]) {
  const described = { name, kind: "test", columns: own };
  const collect: PolicySource["collect"] = (options) => writeSource(described, batchesOf(rows), options);
  return { ...described, collect };
}

test("the example lending gives the scores of an independent model", async () => {
  await using folder = await openPolicyFolder();
  const policy = await readPolicy(folder.path);
  const files = await exampleFiles({ example: "lending", vm: "evm", chainId: "1", contract: alice });
  const sql = files.get("policy.sql") ?? "";
  const ends = ["first_height", "last_height"].map((name) => ({ name, type: "integer", stored: "bigint" }) as const);
  const window = sourceOf("policy_window", ends, [[BigInt(firstHeight), BigInt(lastHeight)]]);
  await fc.assert(
    fc.asyncProperty(changeLists, async (changes) => {
      const sources = names.map((name) =>
        sourceOf(
          name,
          columns,
          changes
            .filter((change) => change.name === name)
            .map(({ account, amount, height }) => [account, amount, BigInt(height)]),
        ),
      );
      const { table } = await runPolicy({ ...policy, sql }, [...sources, window], { spill: folder.path });
      expect(new Map([...table].map(({ account, score }) => [account, score]))).toEqual(model(changes));
    }),
    { seed: fuzzSeed(), numRuns: fuzzRuns(8) },
  );
});
