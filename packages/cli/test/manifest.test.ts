import { chmod, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { formatManifest, parseManifest, type ScoresManifest } from "@vipscore/core/manifest";
import { started } from "@vipscore/testkit/started";
import { csvOf, startTestChain, type JsonObject } from "./harness.ts";

const chain = started(() => startTestChain());
let contract: string;
let fresh: ScoresManifest;
beforeAll(async () => {
  contract = await chain.deploy(12);
  await mkdir(join(chain.cwd, "policy"));
  const chainId = `${Number(await chain.rpc("eth_chainId"))}`;
  await chain.write(
    "policy/policy.toml",
    `name = "points"
version = "1"
rollup.chain_id = "${chainId}"

[[source]]
name = "points"
kind = "reference"
file = "points.csv"
columns = { address = "address", score = "integer" }
`,
  );
  await chain.write("policy/policy.sql", "from points");
  await chain.write("policy/points.csv", csvOf(300));
  await chain.ok(["score", "run", "policy", "--stage", "12", "--out", "scores12.csv"]);
  fresh = await read("scores12.manifest.json");
});

const read = async (name: string): Promise<ScoresManifest> =>
  parseManifest(await readFile(join(chain.cwd, name), "utf8"), name);

/** Runs a command that must be refused with a code, and with a message that names all values. */
async function expectRefusal(args: readonly string[], code: string, named: readonly string[]): Promise<void> {
  const { error } = (await chain.cli([...args, "--json"])).json();
  expect(error).toMatchObject({ code });
  for (const value of named) expect((error as JsonObject)["message"]).toContain(value);
}

const push = ["push", "scores12.csv", "--stage", "12", "--manifest", "scores12.manifest.json"];
const finalize = ["finalize", "--file", "scores12.csv", ...push.slice(2), "--yes"];

test("push refuses another table, stage, chain, VM and contract, and sends nothing", async () => {
  const before = await chain.transactionsSent();
  const { sha256 } = fresh.scores;
  const other = { vm: "evm", chainId: fresh.rollup.chainId, address: `0x${"c1".repeat(20)}` } as const;
  const changes: readonly (readonly [Partial<ScoresManifest>, readonly string[]])[] = [
    [{ scores: { ...fresh.scores, sha256: sha256.replaceAll(/[0-4]/g, "5") } }, ["scores12.csv"]],
    [{ stage: stage(13n) }, ["stage 13", "stage 12"]],
    [{ rollup: { vm: "evm", chainId: "7" } }, ["chain 7", fresh.rollup.chainId]],
    [{ rollup: { ...fresh.rollup, vm: "move" } }, ["move", "evm"]],
    [
      { chain: { contract: other, transactions: [], finalization: undefined, snapshot: undefined } },
      [other.address, contract],
    ],
  ];
  const pushOf = (manifest: string) => [...push.slice(0, -1), manifest];
  for (const [change, named] of changes) {
    await chain.write("m.json", formatManifest({ ...fresh, ...change }));
    await expectRefusal(pushOf("m.json"), "INPUT_INVALID", ["m.json", ...named]);
  }
  await expectRefusal(pushOf("absent.json"), "FILE_UNREADABLE", ["absent.json"]);
  await expectRefusal(pushOf("scores12.csv"), "INPUT_INVALID", ["scores12.csv", "JSON"]);
  await chmod(join(chain.cwd, "m.json"), 0o400);
  if (process.getuid?.() !== 0) await expectRefusal(pushOf("m.json"), "FILE_UNWRITABLE", ["m.json"]);
  expect(await chain.transactionsSent()).toBe(before);
});

test("a dry run checks the manifest and leaves it as it is", async () => {
  await chain.ok([...push, "--dry-run"]);
  expect(await read("scores12.manifest.json")).toEqual(fresh);
});

test("push, finalize and snapshot complete it", async () => {
  await chain.write("part.csv", csvOf(100));
  const first = hashesOf(await chain.ok(["push", "part.csv", "--stage", "12"]));
  const hashes = [...first, ...hashesOf(await chain.ok(push))];
  const identity = { vm: "evm", chainId: fresh.rollup.chainId, address: contract };
  const written = { contract: identity, transactions: hashes, finalization: undefined, snapshot: undefined };
  expect(hashes.length).toBeGreaterThan(1);
  expect(await read("scores12.manifest.json")).toEqual({ ...fresh, chain: written });
  // Again: nothing to send, and what is recorded stays.
  await chain.ok(push);
  expect(await read("scores12.manifest.json")).toEqual({ ...fresh, chain: written });

  const { transaction } = await chain.ok(finalize);
  const finalized = { ...written, finalization: (transaction as JsonObject)["hash"] };
  expect(await read("scores12.manifest.json")).toEqual({ ...fresh, chain: finalized });
  await chain.ok(finalize);
  expect(await read("scores12.manifest.json")).toEqual({ ...fresh, chain: finalized });

  const { root } = await chain.ok(["snapshot", "--bridge-id", "7", ...push.slice(2)]);
  const complete = { ...fresh, chain: { ...finalized, snapshot: { root, bridgeId: 7n } } };
  expect(await read("scores12.manifest.json")).toEqual(complete);
});

test("report shows policy and evidence, if the stage holds the scores", async () => {
  await chain.ok(["report", "--bridge-id", "7", ...push.slice(2)]);
  const page = await readFile(join(chain.cwd, "report-12.html"), "utf8");
  for (const { sha256 } of [fresh.policy, ...fresh.policy.files, ...fresh.sources, fresh.scores]) {
    expect(page).toContain(`<code>${sha256}</code>`);
  }
  expect(page).toContain("vipscore audit scores12.manifest.json --policy ");
});

test("a push that was interrupted: all transactions are recorded", async () => {
  await chain.write("policy/points.csv", csvOf(4000));
  await chain.ok(["score", "run", "policy", "--stage", "13", "--out", "scores13.csv"]);
  const args = ["push", "scores13.csv", "--stage", "13", "--manifest", "scores13.manifest.json"];
  const stop = new AbortController();
  const stopped = await chain.cli(args, {
    signal: stop.signal,
    onError: (text) => {
      // The hash of the first batch, once it is in a block.
      if (/\b0x[0-9a-f]{64}\b/.test(text)) stop.abort();
    },
  });
  expect(stopped.status).toBe(130);
  expect((await read("scores13.manifest.json")).chain).toBeUndefined();
  const { verification } = await chain.ok(args);
  expect(verification).toMatchObject({ agrees: true, accounts: 4000 });
  const { transactions = [] } = (await read("scores13.manifest.json")).chain ?? {};
  expect(new Set(transactions).size).toBe(transactions.length);
  // The contract counts the calls that wrote rows.
  expect(`${transactions.length}`).toBe((verification as JsonObject)["revision"]);
});

test("a stage that someone else finalized", async () => {
  await chain.write("n.json", formatManifest(fresh));
  await chain.ok([...finalize.slice(0, -2), "n.json", "--yes"]);
  expect((await read("n.json")).chain).toMatchObject({ transactions: [], finalization: null });
});

test("snapshot and report refuse a stage with other scores", async () => {
  const scores = { ...fresh.scores, sha256: "0".repeat(64) };
  await chain.write("o.json", formatManifest({ ...fresh, scores }));
  for (const command of ["snapshot", "report"]) {
    const args = [command, "--bridge-id", "7", "--stage", "12", "--manifest", "o.json", "--out", `${command}.out`];
    await expectRefusal(args, "VERIFY_MISMATCH", ["stage 12", "o.json"]);
  }
  expect(await readdir(chain.cwd)).not.toContain("report.out");
  expect(await read("o.json")).toEqual({ ...fresh, scores });
});

function hashesOf({ transactions }: JsonObject): readonly unknown[] {
  return (transactions as readonly JsonObject[]).map(({ hash }) => hash);
}

test("a stage without scores goes the whole way", async () => {
  await chain.deploy(20);
  await chain.write("policy/policy.sql", "from points where score < 0");
  await chain.ok(["score", "run", "policy", "--stage", "20", "--out", "none.csv"]);
  const evidence = ["--stage", "20", "--manifest", "none.manifest.json"];
  const file = { name: "none.csv", rows: 0, total: "0" };
  expect(await chain.ok(["push", "none.csv", ...evidence])).toMatchObject({ file, transactions: [] });
  const finalized = await chain.ok(["finalize", "--file", "none.csv", ...evidence, "--yes"]);
  expect(finalized).toMatchObject({ file, verification: { agrees: true, isFinalized: true } });
  expect(await chain.ok(["snapshot", ...evidence, "--bridge-id", "7"])).toMatchObject({ root: null, accounts: 0 });
  expect(await chain.ok(["report", ...evidence, "--bridge-id", "7"])).toMatchObject({ accounts: 0, total: "0" });
  const audit = await chain.ok(["audit", "none.manifest.json", "--policy", "policy"]);
  expect(audit).toMatchObject({ reproduced: true });
});
