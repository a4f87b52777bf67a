import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { accepts } from "./accepts.ts";
import { addressOf, csvOf, startTestChain } from "./harness.ts";
import { endWatches, interruptWatch, startWatch, type Watch } from "./watchHarness.ts";

const chain = started(() => startTestChain());
beforeEach(async () => {
  await chain.deploy();
  await chain.write("scores.csv", csvOf(3));
});
// A failed test must not leave its watch running.
afterEach(endWatches);

/** The samples that a watch serves, by name and labels besides those of its stage and contract, which all have. */
async function scrape(running: Watch, stage = 1): Promise<ReadonlyMap<string, number>> {
  const followed = new RegExp(`,?stage="${stage}",chain_id="31337",contract="0x[0-9a-fA-F]{40}"`);
  const url = await until("the metrics' URL", () => /http:\/\/localhost:\d+\/metrics/.exec(running.stderr())?.[0]);
  const response = await fetch(url);
  expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  const samples = new Map<string, number>();
  for (const line of (await response.text()).split("\n")) {
    if (line === "" || line.startsWith("# HELP ") || line.startsWith("# TYPE ")) continue;
    const [, name, value] = /^(vipscore_watch_[a-z_]+(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`not a sample: ${line}`);
    expect(name).toMatch(followed);
    samples.set(name.replace(followed, "").replace("{}", ""), Number(value));
  }
  return samples;
}

test("follows a file: pushes it, skips an unchanged stage, writes changes, writes nothing from an invalid file", async () => {
  const running = startWatch(chain.cwd, ["scores.csv"]);
  expect(await running.round(1)).toMatchObject({
    command: "watch",
    outcome: "ok",
    stage: "1",
    contract: { vm: "evm", chainId: "31337" },
    file: { name: "scores.csv", rows: 3, total: "3003" },
    plan: { add: 3, rowsToWrite: 3 },
    transactions: [{ rows: 3 }],
    setbacks: 0,
    verification: { agrees: true, total: { file: "3003", contract: "3003" } },
    error: null,
  });

  const sent = await chain.transactionsSent();
  expect(await running.nextRound()).toMatchObject({
    outcome: "ok",
    plan: { unchanged: 3, rowsToWrite: 0 },
    transactions: [],
    verification: { agrees: true, isFinalized: false, accounts: 3 },
  });
  expect(await chain.transactionsSent()).toBe(sent);

  await chain.write("scores.csv", csvOf(4, 2000));
  expect(await running.nextRound()).toMatchObject({
    outcome: "ok",
    plan: { add: 1, change: 3 },
    transactions: [{ rows: 4 }],
  });

  const before = await chain.transactionsSent();
  await chain.write("scores.csv", `${csvOf(4, 3000)}${addressOf(9)},1.5\n`);
  expect(await running.nextRound()).toMatchObject({
    outcome: "failed",
    file: null,
    plan: null,
    transactions: [],
    verification: null,
    error: { code: "INPUT_INVALID", issues: [{ reason: "SCORE_FRACTION", row: 6 }] },
  });
  expect(await chain.transactionsSent()).toBe(before);
  expect(running.stderr()).toMatch(/^warning {2}\S+Z {2}round 4 .*\bscores\.csv\b.*\brow 6\b.* \[INPUT_INVALID\]/m);

  await chain.write("scores.csv", csvOf(4, 3000));
  expect(await running.nextRound()).toMatchObject({ outcome: "ok", transactions: [{ rows: 4 }] });
  await interruptWatch(running);
  await chain.ok(["verify", "scores.csv", "--stage", "1"]);
});

test("warns once that clients round the total, and writes nothing from an empty file", async () => {
  await chain.write("scores.csv", `address,score\n${addressOf(7)},18446744073709551615\n`);
  const running = startWatch(chain.cwd, ["scores.csv"]);
  expect(await running.round(1)).toMatchObject({ outcome: "ok", file: { total: "18446744073709551615" } });
  await running.nextRound();
  expect(running.stderr().match(/2\^53/g)).toHaveLength(1);
  await chain.write("scores.csv", "");
  const error = { code: "INPUT_INVALID", issues: [{ reason: "FILE_EMPTY" }] };
  expect(await running.nextRound()).toMatchObject({ outcome: "failed", plan: null, error });
  await interruptWatch(running);
});

test("prints one line for each round", async () => {
  const running = startWatch(chain.cwd, ["scores.csv", "--interval", "30s"]);
  await running.round(1);
  running.clock.advance(30_000);
  await running.round(2);
  await interruptWatch(running);
  const lines = running.stderr();
  expect(lines).toMatch(
    /^\S+Z {2}round 1 {2}scores\.csv\b.*\b3 rows\b.*\b3,003 {2}.*\b3 rows\b.*\b1 transaction\b.* \d+$/m,
  );
  expect(lines).toMatch(/^\S+Z {2}round 2 {2}scores\.csv\b.*\b3 rows\b.*\b3,003 {2}(?!.*\btransaction\b).* \d+$/m);
});

test("an account that is no longer in the rows fails a round, and is set to 0 with --prune", async () => {
  const keeping = startWatch(chain.cwd, ["scores.csv"]);
  await keeping.round(1);
  await chain.write("scores.csv", csvOf(2));
  expect(await keeping.nextRound()).toMatchObject({
    outcome: "failed",
    plan: { extra: 1 },
    error: { code: "EXTRA_ACCOUNTS" },
  });
  await interruptWatch(keeping);
  const pruning = startWatch(chain.cwd, ["scores.csv", "--prune"]);
  expect(await pruning.round(1)).toMatchObject({ outcome: "ok", plan: { toZero: 1 }, transactions: [{ rows: 1 }] });
  await interruptWatch(pruning);
});

test("an unreachable node fails a round, and the next round catches up", async () => {
  const { port } = new URL(chain.node.rpcUrl);
  const open = new Set<Socket>();
  const gate = createServer((socket) => {
    const onward = connect(Number(port), "127.0.0.1");
    for (const end of [socket, onward]) {
      open.add(end);
      end.on("error", () => end.destroy());
    }
    socket.pipe(onward).pipe(socket);
  });
  const gatePort = await listen(gate, 0);
  const running = startWatch(chain.cwd, ["scores.csv", "--vm", "evm", "--endpoint", `http://127.0.0.1:${gatePort}`], {
    PRIVATE_KEY: testAccounts.deployer.privateKey,
  });
  await running.round(1);
  gate.close();
  for (const socket of open) socket.destroy();
  await chain.write("scores.csv", csvOf(3, 2000));
  expect(await running.nextRound()).toMatchObject({
    outcome: "failed",
    file: { rows: 3 },
    error: { code: "NODE_UNREACHABLE" },
  });
  await listen(gate, gatePort);
  expect(await running.nextRound()).toMatchObject({ outcome: "ok", transactions: [{ rows: 3 }] });
  await interruptWatch(running);
  gate.close();
  for (const socket of open) socket.destroy();
});

test("metrics count rounds, rows and transactions, and stop with the watch", async () => {
  const running = startWatch(chain.cwd, ["scores.csv", "--metrics-port", "0", "--metrics-host", "localhost"]);
  await running.round(1);
  await running.nextRound();
  await chain.write("scores.csv", "address,score\nnobody,1\n");
  await running.nextRound();
  const samples = await scrape(running);
  expect(Object.fromEntries([...samples].filter(([name]) => !name.includes("_bucket")))).toMatchObject({
    'vipscore_watch_rounds_total{outcome="ok"}': 2,
    'vipscore_watch_rounds_total{outcome="failed"}': 1,
    vipscore_watch_round_duration_seconds_count: 3,
    vipscore_watch_table_rows: 3,
    vipscore_watch_rows_written_total: 3,
    vipscore_watch_transactions_total: 1,
    vipscore_watch_setbacks_total: 0,
    vipscore_watch_stage_score: 3003,
    vipscore_watch_finalize_due: 0,
  });
  const ended = Date.parse(running.objects()[1]?.["at"] as string) / 1000;
  expect(samples.get("vipscore_watch_last_success_timestamp_seconds")).toBe(ended);
  expect(samples.get('vipscore_watch_signer_balance{token="GAS"}')).toBeGreaterThan(9_000);
  expect(samples.get('vipscore_watch_gas_price{token="GAS"}')).toBeGreaterThan(0);

  const url = new URL(/http:\S+\/metrics/.exec(running.stderr())?.[0] ?? "");
  expect((await fetch(new URL("/", url))).status).toBe(404);
  expect((await fetch(new URL("/healthz", url))).status).toBe(200);
  expect((await fetch(url, { method: "POST" })).status).toBe(404);
  await interruptWatch(running);
  expect(await accepts(Number(url.port))).toBe(false);
});

test("a port in use: CONFIG_INVALID before anything is sent", async () => {
  const server = createServer();
  const port = await listen(server, 0);
  const sent = await chain.transactionsSent();
  const refused = await chain.cli(["watch", "scores.csv", "--stage", "1", "--metrics-port", `${port}`, "--json"]);
  expect(refused.json()["error"]).toMatchObject({ code: "CONFIG_INVALID", exit: 2 });
  expect(await chain.transactionsSent()).toBe(sent);
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  ["no file", []],
  ["two files", ["scores.csv", "more.csv"]],
  ["an interval without a unit", ["scores.csv", "--interval", "60"]],
  ["every stage from one file", ["scores.csv", "--stage", "auto"]],
])("%s: INPUT_INVALID", async (_name, args) => {
  const refused = await chain.cli(["watch", "--stage", "1", "--json", ...args]);
  expect(refused.json()["error"]).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
});

test("invalid settings and failed checks end it immediately, as they end a push", async () => {
  const codeOf = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<unknown> =>
    (await chain.cli(["watch", "scores.csv", "--stage", "1", "--json", ...args], { env })).json()["error"];
  expect(await codeOf([], { PRIVATE_KEY: "0x12" })).toMatchObject({ code: "KEY_INVALID", exit: 2 });
  expect(await codeOf([], { PRIVATE_KEY: testAccounts.operator.privateKey })).toMatchObject({
    code: "PERMISSION_DENIED",
    exit: 3,
  });
  expect(await codeOf(["--stage", "2"])).toMatchObject({ code: "STAGE_NOT_FOUND", exit: 3 });
  expect(await codeOf(["--chain-id", "1"])).toMatchObject({ code: "CHAIN_MISMATCH", exit: 3 });
});

test("exits with 0 when someone finalizes the stage, and refuses a finalized one", async () => {
  const running = startWatch(chain.cwd, ["scores.csv"]);
  await running.round(1);
  await chain.ok(["finalize", "--stage", "1", "--file", "scores.csv", "--yes"]);
  expect(await running.nextRound()).toMatchObject({ outcome: "finalized", transactions: [] });
  expect(await running.status).toBe(0);
  expect(running.objects().at(-1)).toMatchObject({
    command: "watch",
    ended: "finalized",
    stage: "1",
    total: "3003",
    rounds: { ok: 1, failed: 0 },
  });
  expect(running.stderr()).toMatch(/^stage 1 .*\b3,003\b/m);

  const late = await chain.cli(["watch", "scores.csv", "--stage", "1", "--json", "--journal", "late.jsonl"]);
  expect(late.json()["error"]).toMatchObject({ code: "STAGE_FINALIZED", exit: 3 });
  expect(existsSync(join(chain.cwd, "late.jsonl"))).toBe(false);
});

test("--stage auto follows the open stage, then the next one with its own rows", async () => {
  await chain.write("scores1.csv", csvOf(3));
  const args = ["scores{stage}.csv", "--stage", "auto", "--metrics-port", "0", "--metrics-host", "localhost"];
  const running = startWatch(chain.cwd, args);
  expect(await running.round(1)).toMatchObject({
    stage: "1",
    file: { name: "scores1.csv" },
    transactions: [{ rows: 3 }],
  });
  await chain.ok(["finalize", "--stage", "1", "--file", "scores1.csv", "--yes"]);
  running.clock.advance(60_000);
  const ofNext = () => running.objects().filter(({ stage, round }) => stage === "2" && round !== undefined);
  const next = (at: number) => until(`round ${at + 1} of stage 2`, () => ofNext()[at]);
  const waiting = { outcome: "waiting", waitingFor: "scores2.csv", error: null };
  expect(await next(0)).toMatchObject(waiting);
  running.clock.advance(60_000);
  expect(await next(1)).toMatchObject(waiting);
  expect(running.stderr().match(/\bwaiting\b.*\bscores2\.csv\b/g)).toHaveLength(1);
  expect((await scrape(running, 2)).get('vipscore_watch_rounds_total{outcome="failed"}')).toBe(0);
  await chain.write("scores2.csv", "address,score\nnobody,1\n");
  running.clock.advance(60_000);
  expect(await next(2)).toMatchObject({ outcome: "failed", error: { code: "INPUT_INVALID" }, waitingFor: null });
  await chain.write("scores2.csv", csvOf(2));
  running.clock.advance(60_000);
  expect(await next(3)).toMatchObject({ outcome: "ok", file: { rows: 2 }, transactions: [{ rows: 2 }] });
  await rm(join(chain.cwd, "scores2.csv"));
  running.clock.advance(60_000);
  expect(await next(4)).toMatchObject({ outcome: "failed", error: { code: "FILE_UNREADABLE" } });
  const samples = await scrape(running, 2);
  const rounds = ["ok", "failed", "waiting"].map((each) =>
    samples.get(`vipscore_watch_rounds_total{outcome="${each}"}`),
  );
  expect(rounds).toEqual([1, 2, 2]);
  await interruptWatch(running);
});

test("detects that the stage is finalized even while its rows cannot be read", async () => {
  const running = startWatch(chain.cwd, ["scores.csv"]);
  await running.round(1);
  await chain.ok(["finalize", "--stage", "1", "--file", "scores.csv", "--yes"]);
  await chain.write("scores.csv", "address,score\nnobody,1\n");
  expect(await running.nextRound()).toMatchObject({ outcome: "failed", error: { code: "INPUT_INVALID" } });
  expect(await running.status).toBe(0);
  expect(running.objects().at(-1)).toMatchObject({ ended: "finalized", rounds: { ok: 1, failed: 1 } });
});

/** Listens on a port of 127.0.0.1; 0 picks a free one. Returns the port. */
function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
