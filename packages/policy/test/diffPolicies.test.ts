import { expect, test } from "vitest";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { diffLines } from "../src/compare/diffPolicies.ts";
import { diffPolicies, readPolicy } from "../src/index.ts";
import { openPolicyFolder, pointsPolicy } from "./policyFolder.ts";

/** The number of lines that two texts have in common, by trying all of their parts. */
function commonOf(old: readonly string[], next: readonly string[]): number {
  const [line, ...others] = old;
  if (line === undefined) return 0;
  const place = next.indexOf(line);
  return Math.max(commonOf(others, next), place < 0 ? 0 : 1 + commonOf(others, next.slice(place + 1)));
}

test("removing and adding the lines gives the new text, with as few of them as can be", () => {
  const { below, pick } = seededRandom(fuzzSeed());
  const textOf = () => Array.from({ length: below(10) }, () => pick(["a", "b", "c", "  a", "- b"]));
  for (let round = 0; round < 300; round += 1) {
    const [old, next] = [textOf(), textOf()];
    const lines = diffLines(old, next);
    const marked = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
    expect([old.length - marked("- ").length, next.length - marked("+ ").length]).toEqual(
      Array(2).fill(commonOf(old, next)),
    );
    // What is left of each text is the same.
    const left = (text: readonly string[], mark: string) => {
      const rest = [...text];
      for (const line of marked(mark)) rest.splice(rest.indexOf(line), 1);
      return rest.sort();
    };
    expect(left(old, "- ")).toEqual(left(next, "+ "));
  }
});

test("two policies differ in the files that they name", async () => {
  const [toml, sql] = [pointsPolicy["policy.toml"], pointsPolicy["policy.sql"]];
  await using one = await openPolicyFolder({ "policy.sql": `${sql}\r\n`, "other.csv": "not of the policy" });
  await using two = await openPolicyFolder({
    "policy.toml": `exclude = "exclude.csv"\n${toml}`,
    "policy.sql": `${sql}\n`,
    "exclude.csv": "address\n",
    "points.csv": `address,points\n${"\n".repeat(2 ** 20)}`,
  });
  const [before, after] = [await readPolicy(one.path), await readPolicy(two.path)];
  expect(await diffPolicies(before, before)).toEqual([]);
  expect(await diffPolicies(before, after)).toEqual([
    { name: "exclude.csv", lines: ["+ address"] },
    { name: "points.csv", lines: [] },
    { name: "policy.toml", lines: ['+ exclude = "exclude.csv"'] },
  ]);
  expect((await diffPolicies(after, before))[0]).toEqual({ name: "exclude.csv", lines: ["- address"] });
});
