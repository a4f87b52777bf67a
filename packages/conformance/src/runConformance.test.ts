import { expect, test } from "vitest";
import { NodeError } from "@vipscore/core";
import { junitReport, resultsByRule, runConformance, type ScenarioResult } from "./runConformance.ts";
import type { Rule, Scenario } from "./scenario.ts";
import { NotTried } from "./scenarios/amounts.ts";
import type { Subject } from "./subject.ts";

const subject: Subject = {
  vm: "evm",
  seed: 1,
  warnings: [],
  deploy: () => Promise.reject(new Error("nothing to deploy")),
};

function scenario(id: string, rules: readonly Rule[], error?: Error): Scenario {
  const run = (): Promise<void> => (error === undefined ? Promise.resolve() : Promise.reject(error));
  return { id, name: `name of ${id}`, area: "members", rules, run };
}

const list = [
  scenario("a.kept", ["R2", "R16"]),
  scenario("a.broken", ["R2"], new Error('saw\n "5" & <6>')),
  scenario("a.excepted", ["R16", "R10"], new Error("saw 7")),
  scenario("a.program", ["P1"]),
];

async function results(scenarios: readonly Scenario[], ...excepted: readonly string[]): Promise<ScenarioResult[]> {
  const run: ScenarioResult[] = [];
  const options = { scenarios, exceptions: new Set(excepted) };
  for await (const result of runConformance(subject, options)) run.push(result);
  return run;
}

test("a scenario is kept, broken, or broken and excepted by one of its rules", async () => {
  expect(await results(list, "R16")).toMatchObject([
    { id: "a.kept", verdict: "kept", seen: "" },
    { id: "a.broken", verdict: "broken", seen: 'saw "5" & <6>' },
    { id: "a.excepted", verdict: "excepted", seen: "saw 7" },
    { id: "a.program", verdict: "kept" },
  ]);
});

test("a scenario that the contract may refuse is not tried, also if its rule is excepted, and breaks no rule", async () => {
  const untried = scenario("a.untried", ["R16", "P4"], new NotTried("not tried: all refused"));
  const run = await results([...list, untried, scenario("b.untried", ["R2"], new NotTried("too"))], "R16");
  expect(run.slice(-2)).toMatchObject([
    { id: "a.untried", verdict: "untried", seen: "not tried: all refused" },
    { id: "b.untried", verdict: "untried" },
  ]);
  expect(resultsByRule(run, new Set(["R16"]))).toMatchObject([
    { rule: "P1", verdict: "kept" },
    { rule: "P4", verdict: "untried", scenarios: 1, broken: [] },
    { rule: "R2", verdict: "broken", broken: [{ id: "a.broken" }] },
    { rule: "R10", verdict: "kept" },
    { rule: "R16", verdict: "excepted", broken: [{ id: "a.excepted" }] },
  ]);
  expect(junitReport(run)).toMatch(/ tests="6" failures="1" skipped="3">/);
});

test("what was seen is whole up to 4,000 characters, and says how many follow", async () => {
  const texts = ["x".repeat(4_000), "x".repeat(5_234)];
  const [whole, cut] = await results(texts.map((text) => scenario("a.broken", ["R2"], new Error(text))));
  expect(whole?.seen).toBe(texts[0]);
  expect(cut?.seen).toMatch(/^x{4000} .*\b1,234\b/);
});

test("rules are in order, and broken if one of their scenarios is broken and not excepted", async () => {
  expect(resultsByRule(await results(list, "R16"), new Set(["R16"]))).toMatchObject([
    { rule: "P1", verdict: "kept", scenarios: 1, broken: [] },
    { rule: "R2", verdict: "broken", scenarios: 2, broken: [{ id: "a.broken" }] },
    { rule: "R10", verdict: "kept", scenarios: 1, broken: [{ id: "a.excepted" }] },
    { rule: "R16", verdict: "excepted", scenarios: 2, broken: [{ id: "a.excepted" }] },
  ]);
});

test("a chain that no longer answers, and a signal, end the run", async () => {
  const unreachable = new NodeError("no answer", { code: "NODE_UNREACHABLE" });
  await expect(results([scenario("a.down", ["R1"], unreachable)])).rejects.toBe(unreachable);
  const stopped = runConformance(subject, { scenarios: list, signal: AbortSignal.abort("stop") });
  await expect(stopped.next()).rejects.toBe("stop");
});

test("JUnit's report has every scenario, with what was seen as an attribute", async () => {
  const xml = junitReport(await results(list, "R16"));
  expect(xml).toContain('tests="4" failures="1" skipped="1"');
  expect(xml.match(/<testcase classname="members" name="a\./g)).toHaveLength(4);
  expect(xml).toContain('<failure message="saw &quot;5&quot; &amp; &lt;6&gt;"/>');
  expect(xml).toContain('<skipped message="saw 7"/>');
});
