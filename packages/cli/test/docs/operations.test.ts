import { globSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VipError } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { until } from "@vipscore/testkit/until";
import { blocksOf } from "../guide.ts";
import { csvOf, type TestFolder } from "../harness.ts";
import { useRollup } from "../localL1.ts";
import { serving } from "../servingIndexer.ts";

const docs = join(import.meta.dirname, "../../../../docs");
const { deployer, operator } = testAccounts;
const given: Readonly<Record<string, string>> = {
  $OWNER: deployer.address,
  $MEMBER: operator.address,
};

let folder: TestFolder;
useRollup({ vm: "evm" }, async (_, opened) => {
  folder = opened;
  await folder.write("scores.csv", csvOf(5));
  await folder.write("stolen.csv", csvOf(3, 500));
});

test("the drill finds the thief, stops it and ends the stage", async () => {
  const lines = blocksOf(readFileSync(join(docs, "operations.md"), "utf8"), "sh").flatMap((block) => block.split("\n"));
  for (const line of lines) {
    const [command = "", status = "0"] = line.split(" # exit status ");
    const [program, ...args] = command
      .replace(/^PRIVATE_KEY=\S+ /, "")
      .split(" ")
      .map((word) => given[word] ?? word);
    if (program === "rm") {
      await rm(join(folder.cwd, args[0] ?? ""));
      continue;
    }
    const env = command.startsWith("PRIVATE_KEY=$MEMBER_KEY ") ? { PRIVATE_KEY: operator.privateKey } : {};
    const { stdout, stderr, status: ended } = await folder.cli(args, { env });
    expect({ line, ended: `${ended}`, stderr }).toMatchObject({ line, ended: status });
    if (args[0] === "guard") expect(stdout.includes("writers: ")).toBe(status === "3");
  }
  const { stages } = await folder.ok(["status"]);
  expect(stages).toMatchObject([{ stage: "1", isFinalized: true, accounts: 5 }, { stage: "2" }]);
});
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
  const running = folder.cli([...args, "--metrics-port", "0"], {
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
  const guard = await metricsOf(["guard"]);
  const served = [...guard, ...(await metricsOf(["watch", "scores.csv", "--stage", "2"]))];
  await serving(folder, ["--scores"], async (url) => {
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
