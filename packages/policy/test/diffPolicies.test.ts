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
    if (lines.includes("…")) continue;
    expect(lines.filter((line) => !line.startsWith("- ")).map((line) => line.slice(2))).toEqual(
      lines.length === 0 ? [] : next,
    );
    expect(lines.filter((line) => !line.startsWith("+ ")).map((line) => line.slice(2))).toEqual(
      lines.length === 0 ? [] : old,
    );
  }
});

test("lines far from a change are left out", () => {
  const old = Array.from({ length: 20 }, (_, index) => `${index}`);
  expect(diffLines(old, old.with(9, "nine"))).toEqual(["…", "  7", "  8", "- 9", "+ nine", "  10", "  11", "…"]);
});

test("texts of many other lines are replaced as a whole", () => {
  const textOf = (name: string) => Array.from({ length: 3000 }, (_, index) => `${name} ${index}`);
  const [old, next] = [textOf("old"), textOf("new")];
  const lines = diffLines(["same", ...old, "end"], ["same", ...next, "end"]);
  const marked = [...old.map((line) => `- ${line}`), ...next.map((line) => `+ ${line}`)];
  expect(lines).toEqual(["  same", ...marked, "  end"]);
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
    { name: "policy.toml", lines: ['+ exclude = "exclude.csv"', '  name = "points"', '  version = "1"', "…"] },
  ]);
  expect((await diffPolicies(after, before))[0]).toEqual({ name: "exclude.csv", lines: ["- address"] });
});
