import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { finding, findingsOf } from "./auditFindings.ts";
import { alice, bob, carol, Collectors } from "./collectors.ts";
import { addressOf, runCli, startTestChain, type JsonObject } from "./harness.ts";

const chain = started(() => startTestChain());
const folder = temporaryFolder();

beforeAll(async () => {
  const collectors = await Collectors.deploy(chain);
  const first = await collectors.mint(alice, bob);
  const last = await collectors.mint(carol, alice);
  await collectors.mint(bob);
  await collectors.writePolicy(join(folder, "policy"), `window.blocks = [${first}, ${last}]`);
  await run("score", "run", "policy", "--stage", "12", "--out", "scores.csv");
});

async function run(...args: readonly string[]) {
  const result = await runCli([...args, "--endpoint", chain.node.rpcUrl, "--json"], folder);
  return { status: result.status, report: result.json(), text: result.stderr };
}

interface DescribedSource {
  readonly name: string;
  readonly files: readonly string[];
  readonly views: Readonly<Record<string, string>>;
}
const sourcesOf = (report: JsonObject) => report["sources"] as unknown as readonly DescribedSource[];

test("score data names the stored files, their types and a view of each source", async () => {
  const { status, report, text } = await run("score", "data", "policy", "--stage", "12");
  expect({ status, text }).toMatchObject({ status: 0 });
  const manifest = JSON.parse(await readFile(join(folder, "scores.manifest.json"), "utf8")) as {
    readonly sources: readonly { readonly sha256: string }[];
  };
  const [mints, bonus] = manifest.sources;
  expect(report).toMatchObject({
    command: "score data",
    stage: "12",
    policy: { name: "collectors" },
    sources: [
      { name: "mints", kind: "evm_events", rows: 4, sha256: mints?.sha256, lastHeight: expect.any(Number) as number },
      { name: "bonus", kind: "reference", rows: 1, sha256: bonus?.sha256, lastHeight: null },
      { name: "policy_window", rows: 1 },
    ],
    unportable: [{ place: "policy.sql:2", what: expect.stringContaining("cast") as string }],
  });
  for (const { files, views } of sourcesOf(report)) {
    expect(files).toHaveLength(1);
    expect((await readFile(files[0] ?? "")).subarray(0, 4).toString()).toBe("PAR1");
    expect(Object.keys(views)).toEqual(["duckdb", "spark", "clickhouse"]);
  }
  expect(sourcesOf(report)[0]).toMatchObject({
    columns: expect.arrayContaining([
      { name: "height", type: "integer", parquet: "INT64" },
      { name: "owner", type: "address", parquet: "STRING" },
      { name: "token", type: "integer", parquet: "DECIMAL(38, 0)" },
    ]) as unknown,
  });
  const shown = await runCli(["score", "data", "policy", "--stage", "12", "--endpoint", chain.node.rpcUrl], folder);
  const views = sourcesOf(report).flatMap((source) => Object.values(source.views));
  expect(
    shown.stdout
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("--"))
      .sort(),
  ).toEqual(views.sort());
});

/** Audits scores that were computed elsewhere. */
async function audit(scores: Readonly<Record<string, number>>, file = "elsewhere.csv") {
  const rows = Object.entries(scores).map(([address, score]) => ({ address, score: `${score}` }));
  const csv = `address,score\n${rows.map(({ address, score }) => `${address},${score}\n`).join("")}`;
  await writeFile(join(folder, file), file.endsWith(".json") ? JSON.stringify(rows) : csv);
  return run("audit", "scores.manifest.json", "--policy", "policy", "--scores", file);
}

test.each(["elsewhere.csv", "elsewhere.json"])(
  "an audit compares scores in %s that were computed elsewhere",
  async (file) => {
    // The query elsewhere also scores carol, whom the policy excludes.
    const { status, report, text } = await audit({ [bob]: 105, [alice]: 200, [carol]: 100 }, file);
    expect({ status, text }).toMatchObject({ status: 0 });
    expect(report).toMatchObject({ reproduced: true, accounts: { differ: 0 } });
    expect(findingsOf(report)).toEqual(
      expect.arrayContaining([
        finding("source", "same", "mints"),
        finding("source", "same", "bonus"),
        finding("scores", "same"),
        finding("versions", "not checked"),
      ]),
    );
  },
);

test("an audit names the accounts that differ from scores computed elsewhere", async () => {
  const other = addressOf(0xee);
  const { status, report } = await audit({ [bob]: 100, [alice]: 200, [other]: 1 });
  expect(status).toBe(3);
  const accounts = [
    { file: "105", recomputed: "100" },
    { file: "0", recomputed: "1" },
  ];
  expect(report).toMatchObject({ error: { code: "AUDIT_DIFFERS" }, accounts: { differ: 2, first: accounts } });
  expect(findingsOf(report)).toEqual(expect.arrayContaining([finding("scores", "differs")]));
});

test("scores that cannot be read end the audit", async () => {
  await writeFile(join(folder, "broken.csv"), "address,score\nnobody,1\n");
  const broken = await run("audit", "scores.manifest.json", "--policy", "policy", "--scores", "broken.csv");
  expect(broken.report).toMatchObject({ error: { code: "INPUT_INVALID" } });
  const missing = await run("audit", "scores.manifest.json", "--policy", "policy", "--scores", "missing.csv");
  expect(missing.report).toMatchObject({ error: { code: "FILE_UNREADABLE" } });
});
