import { expect, test } from "vitest";
import { publishedCode } from "./contractCode.ts";
import { reportJson, reportLines, reportOf } from "./report.ts";
import type { ScenarioResult } from "./runConformance.ts";
import type { Construction } from "./sources/construction.ts";
import type { Subject } from "./subject.ts";

const kept = { name: "a name", area: "members", verdict: "kept", seen: "", milliseconds: 5 } as const;
const results: readonly ScenarioResult[] = [
  { ...kept, id: "a.kept", rules: ["R2"] },
  { ...kept, id: "a.broken", rules: ["P2"], verdict: "broken", seen: "expected 5, saw 6" },
];

const subject: Subject = {
  vm: "evm",
  seed: 8,
  warnings: ["integers wrap around"],
  deploy: () => Promise.reject(new Error("nothing to deploy")),
};

test("a report says what was found, with warnings, and whose contract it is", async () => {
  const code = await publishedCode("evm");
  const scope = { exceptions: new Map<string, string>(), seconds: 9 };
  const report = await reportOf(subject, code, results, scope);
  expect(reportLines(report, (_, text) => text)).toEqual([
    "✗ P2   1 scenario, 1 broken",
    "✓ R2   1 scenario",
    "  a.broken (P2): a name",
    "    expected 5, saw 6",
    "integers wrap around",
    expect.stringMatching(/\bidentical\b.*\b[0-9a-f]{64}$/),
    "1 of 2 scenarios kept, seed 8, 9 s",
  ]);
  expect(reportJson(report)).toMatchObject({ isPublished: true, warnings: ["integers wrap around"] });
  const changed = { ...code, bytes: Buffer.concat([code.bytes, Buffer.from([0])]) };
  const other = reportLines(await reportOf(subject, changed, results, scope), (_, text) => text);
  expect(other.at(-2)).toMatch(/^not\b.*\bsha256\b/);
});

test("a report says what follows from the sources, or what a person must read in them", async () => {
  const code = await publishedCode("evm");
  const linesOf = async (construction: Construction | undefined) => {
    const scope = { exceptions: new Map<string, string>(), seconds: 9, construction };
    const report = await reportOf(subject, code, results.slice(0, 1), scope);
    expect(reportJson(report)).toMatchObject({ construction: construction ?? null });
    return reportLines(report, (_, text) => text);
  };
  const safe = await linesOf({ holds: true, restsOn: ["solc 0.8.37"], toRead: [] });
  expect(safe[safe.indexOf("  solc 0.8.37") - 1]).toMatch(/^by construction:/);
  const line = "A.sol:3: inline assembly";
  const unsafe = await linesOf({ holds: false, restsOn: ["friends: none"], toRead: [line] });
  expect(unsafe[unsafe.indexOf(`  ${line}`) - 1]).toMatch(/^nothing\b.*\bconstruction\b.*\bperson\b/);
  expect(unsafe[unsafe.indexOf("  friends: none") - 1]).toMatch(/^found\b/);
  expect((await linesOf(undefined)).join()).not.toContain("construction");
});

test("a scenario that was not tried is named, with the reason, and its rule is neither kept nor broken", async () => {
  const seen = "not tried: all refused";
  const run = [{ ...kept, id: "a.untried", rules: ["P4"], verdict: "untried", seen } as const, ...results.slice(0, 1)];
  const scope = { exceptions: new Map<string, string>(), seconds: 9 };
  const report = await reportOf(subject, await publishedCode("evm"), run, scope);
  const lines = reportLines(report, (_, text) => text);
  expect(lines[0]).toMatch(/^\? P4\b.*\b1 not tried$/);
  expect(lines.slice(2, 4)).toEqual(["  a.untried (P4): a name", `    ${seen}`]);
  expect(lines.at(-1)).toMatch(/^1 of 2\b/);
});

test.each<[string, ScenarioResult["rules"], Partial<ScenarioResult>, Record<string, string>, boolean]>([
  ["a kept rule", ["P2"], { verdict: "kept" }, {}, true],
  ["a broken rule of the program", ["P1"], {}, {}, false],
  ["a broken rule of ours", ["R16"], {}, {}, false],
  ["a rule of ours that is excepted", ["R16"], { verdict: "excepted" }, { R16: "closed list" }, true],
  ["P2, broken and excepted", ["P2", "R16"], { verdict: "excepted" }, { R16: "closed list" }, false],
])("beside %s, what follows from the sources holds or does not", async (_, rules, result, exceptions, holds) => {
  const construction = { holds: true, restsOn: ["solc"], toRead: [] };
  const scope = { exceptions: new Map(Object.entries(exceptions)), seconds: 9, construction };
  const run = [{ ...results[1], rules, ...result } as ScenarioResult];
  const report = await reportOf(subject, await publishedCode("evm"), run, scope);
  expect(report.construction).toMatchObject({
    holds,
    restsOn: ["solc"],
    toRead: holds ? [] : [expect.stringContaining(String(rules[0]))],
  });
  const by = reportLines(report, (__, text) => text).filter((line) => line.includes("by construction"));
  expect(by).toEqual([expect.stringMatching(holds ? /^by construction/ : /^nothing follows/)]);
});

test("scenarios with one cause are listed together, the cause once, and each rule counts its own", async () => {
  const refusal = (expected: string, details: string) =>
    `expected { outcome: '${expected}', details: '${details}' }, saw { outcome: 'TRANSACTION_FAILED', details: '${details}' }`;
  const causes = [
    refusal("DONE", `return data: 0xbeb82451${"0".repeat(63)}1`),
    refusal("STAGE_ZERO", `return data: 0xbeb82451${"0".repeat(63)}2`),
    refusal("DONE", `return data: 0x11112222${"0".repeat(63)}1`),
    "expected 5, saw 0",
    "expected 6, saw 0",
    "expected 5, saw 0",
  ];
  const broken = causes.map(
    (seen, index) => ({ id: `a.${index}`, rules: ["R1", "R2"], verdict: "broken", seen }) as const,
  );
  const code = await publishedCode("evm");
  const scope = { exceptions: new Map<string, string>(), seconds: 9 };
  const run = broken.map((result) => ({ ...kept, ...result }));
  const report = await reportOf(subject, code, run, scope);
  const lines = reportLines(report, (_, text) => text);
  const ids = (...indexes: readonly number[]) => indexes.map((index) => `  a.${index} (R1, R2): a name`);
  expect(lines.slice(0, 12)).toEqual(
    ["✗ R1   6 scenarios, 6 broken", "✗ R2   6 scenarios, 6 broken"].concat(
      ids(0, 1),
      `    ${causes[0]}`,
      ids(2),
      `    ${causes[2]}`,
      ids(3, 5),
      `    ${causes[3]}`,
      ids(4),
      `    ${causes[4]}`,
    ),
  );
  expect(reportJson(report)).toMatchObject({ scenarios: run });
});
