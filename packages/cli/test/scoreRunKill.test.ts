import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { isLong } from "@vipscore/testkit/isLong";
import { playedChainId, playedContract, playedEvent, PlayedLogs } from "@vipscore/testkit/playedLogs";
import { script } from "@vipscore/testkit/scriptedServer";
import { until } from "@vipscore/testkit/until";
import { killChildren, startCli } from "./childCli.ts";

const plainSql = "select sender as address, sum(value) as score from transfers group by sender";
/** More blocks than one part has, so that a kill in the middle leaves a stored one. */
const spread = { events: 26_000, node: new PlayedLogs(26_000, 1_000) };
/** More events than one part has, which takes long enough to write that a kill comes in between. */
const dense = { events: 250_000, node: new PlayedLogs(250_000) };
const folders: string[] = [];
let url: string;
let { events, node } = spread;
/** Blocks after which the node does not answer any more. */
let heldFrom = Infinity;
/** The first blocks of the ranges that were asked for. */
let asked: number[] = [];

beforeAll(async () => {
  ({ url } = await script(({ body }) => {
    const from = Number(/"fromBlock":"(0x[0-9a-f]+)"/.exec(body)?.[1] ?? "0");
    if (from > 0) asked.push(from);
    if (from >= heldFrom) return { instead: "silence" };
    return { headers: { "content-type": "application/json" }, body: node.answer(body) };
  }));
});
afterEach(async () => {
  ({ events, node } = spread);
  heldFrom = Infinity;
  await killChildren();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function writePolicy(sql = plainSql): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), "vipscore-kill-"));
  folders.push(cwd);
  await mkdir(join(cwd, "policy"));
  await writeFile(
    join(cwd, "policy", "policy.toml"),
    `name = "transfers"
version = "1"

[rollup]
chain_id = "${playedChainId}"

[window]
blocks = [1, ${node.height}]

[[source]]
name = "transfers"
kind = "evm_events"
contracts = ["${playedContract}"]
event = "${playedEvent}"
`,
  );
  await writeFile(join(cwd, "policy", "policy.sql"), sql);
  return cwd;
}

const args = ["score", "run", "policy", "--stage", "1", "--out", "scores.csv", "--vm", "evm"];
const start = (cwd: string) => startCli([...args, "--endpoint", url], cwd);

/** Returns the parts in a data folder's list; empty before there is one. */
async function storedParts(cwd: string): Promise<readonly { readonly last: number; readonly rows: number }[]> {
  const data = join(cwd, ".vipscore", "data");
  const [folder = ""] = await readdir(data).catch(() => []);
  const text = await readFile(join(data, folder, "parts.jsonl"), "utf8").catch(() => "");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { readonly last: number; readonly rows: number });
}

/** The files of a kind in a data folder, each with what differs from an earlier one of the same name. */
async function filesOf(cwd: string, kind: string): Promise<readonly string[]> {
  const data = join(cwd, ".vipscore", "data");
  const [source = ""] = await readdir(data).catch(() => []);
  const names = await readdir(join(data, source, kind)).catch(() => []);
  const inodes = names.map((name) =>
    lstat(join(data, source, kind, name)).then(({ ino, mtimeMs }) => `${name} ${ino} ${mtimeMs}`),
  );
  // A file may get its final name in between.
  return (await Promise.allSettled(inodes)).flatMap((found) => (found.status === "fulfilled" ? [found.value] : []));
}

test("after a kill in the middle, a run reads only what is missing, and no event twice", async () => {
  const [killed, whole] = [await writePolicy(), await writePolicy()];
  heldFrom = Math.ceil(node.height * 0.9);
  const first = start(killed);
  await until("a stored part", async () => (await storedParts(killed)).length > 0);
  first.process.kill("SIGKILL");
  await first.ended;
  expect(await readdir(killed)).not.toContain("scores.csv");
  const kept = (await storedParts(killed)).at(-1)?.last ?? 0;
  expect(kept).toBeGreaterThan(0);
  heldFrom = Infinity;
  asked = [];
  const second = start(killed);
  expect({ status: await second.ended, error: second.output.stderr }).toMatchObject({ status: 0 });
  expect(Math.min(...asked)).toBe(kept + 1);
  const parts = await storedParts(killed);
  expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(events);

  const third = start(whole);
  expect({ status: await third.ended, error: third.output.stderr }).toMatchObject({ status: 0 });
  for (const name of ["scores.csv", "scores.manifest.json"]) {
    expect(await readFile(join(killed, name), "utf8")).toBe(await readFile(join(whole, name), "utf8"));
  }
});

// Minutes of reading: by night.
test.each(isLong ? [["rows", "reversed", "digests"]] : [])(
  "after kills while files of %s, %s and %s are written, a run gives the same, and leaves no file of the others",
  async (...kinds) => {
    ({ events, node } = dense);
    const [killed, whole] = [await writePolicy(), await writePolicy()];
    // Less than a second part: every run begins with the first one.
    heldFrom = Math.ceil(node.height * 0.9);
    for (const kind of kinds) {
      const before = await filesOf(killed, kind);
      const child = start(killed);
      await until(`a file of ${kind}`, async () =>
        (await filesOf(killed, kind)).some((file) => !before.includes(file)),
      );
      child.process.kill("SIGKILL");
      await child.ended;
    }
    heldFrom = Infinity;
    for (const cwd of [killed, whole]) {
      const run = start(cwd);
      expect({ status: await run.ended, error: run.output.stderr }).toMatchObject({ status: 0 });
    }
    for (const name of ["scores.csv", "scores.manifest.json"]) {
      expect(await readFile(join(killed, name), "utf8")).toBe(await readFile(join(whole, name), "utf8"));
    }
    const parts = await storedParts(killed);
    expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(events);
    for (const kind of ["rows", "reversed", "digests"]) expect(await filesOf(killed, kind)).toHaveLength(parts.length);
  },
);
test("while another command reads the same source, a run is refused and changes nothing", async () => {
  const cwd = await writePolicy();
  heldFrom = Math.ceil(node.height * 0.9);
  const first = start(cwd);
  await until("a stored part", async () => (await storedParts(cwd)).length > 0);
  const second = startCli([...args, "--endpoint", url, "--json"], cwd);
  expect(await second.ended).toBe(3);
  expect(JSON.parse(second.output.stdout)).toMatchObject({ error: { code: "DATA_IN_USE", exit: 3 } });
  first.process.kill("SIGKILL");
  await first.ended;
  heldFrom = Infinity;
  const third = start(cwd);
  expect({ status: await third.ended, error: third.output.stderr }).toMatchObject({ status: 0 });
  const parts = await storedParts(cwd);
  expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(events);
});

test("after a kill during the query, which ends too, a run gives the scores", async () => {
  const call = "length(repeat('ab', 1000000))";
  const cwd = await writePolicy(`select sender as address, max(${call}) as score from transfers group by sender`);
  const first = start(cwd);
  await until("the query's process", async () => (await childrenOf(first.process.pid)).length > 0);
  const [query = ""] = await childrenOf(first.process.pid);
  first.process.kill("SIGKILL");
  await first.ended;
  await until("the end of the query", async () => !(await isAlive(query)));
  expect((await readdir(cwd)).filter((name) => name.startsWith("scores"))).toEqual([]);
  await writeFile(join(cwd, "policy", "policy.sql"), plainSql);
  asked = [];
  const second = start(cwd);
  expect({ status: await second.ended, error: second.output.stderr }).toMatchObject({ status: 0 });
  expect(asked).toEqual([]);
});

describe("inside of one call of a function", () => {
  const signalsSent = [["SIGINT"], ["SIGTERM"], ["SIGINT", "SIGTERM"]] as const;
  test.each(isLong ? signalsSent : signalsSent.slice(0, 1))("%s %s ends the command", async (...signals) => {
    const call = "levenshtein(repeat('ab', 1000000), repeat('cd', 1000000))";
    const cwd = await writePolicy(`select sender as address, ${call} as score from transfers`);
    const spill = join(cwd, "spill");
    await mkdir(spill);
    const child = startCli([...args, "--endpoint", url, "--spill", spill], cwd);
    await until("the query's process", async () => (await childrenOf(child.process.pid)).length > 0);
    const [query = ""] = await childrenOf(child.process.pid);
    for (const signal of signals) child.process.kill(signal);
    expect(await child.ended).toBe(130);
    await until("the end of the query", async () => !(await isAlive(query)));
    if (signals.length === 1) expect(await readdir(spill)).toEqual([]);
    expect(await readdir(cwd)).not.toContain("scores.csv");
  });
});

async function childrenOf(pid: number | undefined): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text.split(" ").filter((part) => part !== "");
}

/** A process that has ended may still be in the list until its parent asks for its status. */
async function isAlive(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) Z /.test(stat);
}
