import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VipError } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { csvOf, startTestChain } from "../harness.ts";
import { serving } from "../servingIndexer.ts";

const docs = join(import.meta.dirname, "../../../../docs");
const chain = started(() => startTestChain());

/** The names of the metrics that a server says it has, those without a sample too. */
async function metricNames(url: string): Promise<readonly string[]> {
  const answer = await fetch(url).catch(() => undefined);
  const text = (await answer?.text()) ?? "";
  return Array.from(text.matchAll(/^# TYPE (\w+) (\w+)/gm), ([, name = "", type]) =>
    type === "histogram" ? `${name}_bucket` : name,
  );
}

/** Runs a command until it has served its metrics. */
async function metricsOf(args: readonly string[]): Promise<readonly string[]> {
  const stopping = new AbortController();
  let stderr = "";
  const running = chain.cli([...args, "--metrics-port", "0"], {
    signal: stopping.signal,
    onError: (text) => (stderr += text),
  });
  const url = await until("the metrics", () => Promise.resolve(/http:\S+\/metrics/.exec(stderr)?.[0]));
  const names = await metricNames(url);
  stopping.abort(new VipError("stopped", { code: "INTERRUPTED", cause: "SIGTERM" }));
  await running;
  return names;
}

test("alerts, their tests and dashboards name metrics that the commands have, and all of the guard's", async () => {
  await chain.deploy();
  await chain.write("scores.csv", csvOf(1));
  const guard = await metricsOf(["guard"]);
  const served = [...guard, ...(await metricsOf(["watch", "scores.csv", "--stage", "1"]))];
  await serving(chain, ["--scores"], async (url) => {
    const names = await until("the indexer", async () => {
      const found = await metricNames(`${url}/metrics`);
      return found.length > 0 ? found : undefined;
    });
    served.push(...names);
  });
  const named = new Set(
    globSync("{operations/*.{yml,json},indexer-dashboard.json}", { cwd: docs }).flatMap(
      (file) => readFileSync(join(docs, file), "utf8").match(/\bvipscore_\w+/g) ?? [],
    ),
  );
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((name) => !served.includes(name))).toEqual([]);
  expect(guard.filter((name) => !named.has(name))).toEqual([]);
});
