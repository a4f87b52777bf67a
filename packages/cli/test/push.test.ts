import { appendFile, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { addressOf, csvOf, startTestChain } from "./harness.ts";

const chain = started(() => startTestChain());
beforeAll(() => chain.write("scores.csv", csvOf(700)));
beforeEach(() => chain.deploy());

test("a dry run prints the plan and sends nothing, a push sends it, a second one has nothing to do", async () => {
  const before = await chain.transactionsSent();
  const dry = await chain.cli(["push", "scores.csv", "--stage", "1", "--dry-run"]);
  expect(dry.status).toBe(0);
  for (const value of ["scores.csv", "700", "944,650", "--dry-run"]) expect(dry.stdout).toContain(value);
  expect(dry.stdout).toMatch(/\b100 of 700\b/);
  expect(await chain.transactionsSent()).toBe(before);

  const push = await chain.cli(["push", "scores.csv", "--stage", "1"]);
  expect(push.status).toBe(0);
  for (const mark of ["\u001b", "\r", "█"]) expect(push.stdout + push.stderr).not.toContain(mark);

  const sent = await chain.transactionsSent();
  expect(await chain.ok(["push", "scores.csv", "--stage", "1"])).toMatchObject({
    plan: { rowsToWrite: 0, extra: 0 },
    transactions: [],
    verification: { agrees: true },
  });
  expect(await chain.transactionsSent()).toBe(sent);
});

test("--json prints one object with bigints as text", async () => {
  const object = await chain.ok(["push", "scores.csv", "--stage", "1"]);
  expect(object).toMatchObject({
    command: "push",
    stage: "1",
    dryRun: false,
    contract: { vm: "evm", chainId: "31337" },
    file: { name: "scores.csv", rows: 700, total: "944650" },
    plan: {
      chain: { total: "0", accounts: 0 },
      add: 700,
      change: 0,
      unchanged: 0,
      toZero: 0,
      extra: 0,
      rowsToWrite: 700,
      token: { symbol: "GAS", decimals: 18 },
    },
    verification: {
      agrees: true,
      isFinalized: false,
      accounts: 700,
      total: { file: "944650", contract: "944650", rows: "944650" },
      differences: [],
    },
  });
  const { sha256 } = object["file"] as { sha256: string };
  expect(object["verification"]).toMatchObject({ sha256: { file: sha256, chain: sha256 } });
  const transactions = object["transactions"] as { rows: number; hash: string; gasUsed: string }[];
  expect(transactions.reduce((sum, { rows }) => sum + rows, 0)).toBe(700);
  expect(transactions[0]?.hash).toMatch(/^0x[0-9a-f]{64}$/);
  const dry = await chain.ok(["push", "scores.csv", "--stage", "1", "--dry-run"]);
  expect(dry).toMatchObject({
    dryRun: true,
    transactions: [],
    verification: null,
    plan: { unchanged: 700, rowsToWrite: 0, batches: 0 },
    rowsTried: 0,
  });
});

test("a terminal gets one redrawn line, in color unless NO_COLOR is set", async () => {
  const shown = await chain.cli(["push", "scores.csv", "--stage", "1"], { terminal: true });
  const redrawn = shown.stderr.split("\r\u001b[2K").slice(1);
  expect(redrawn).toContainEqual(expect.stringMatching(/ {3}[█░]{24} {2}\d+\/700 {3}\d+\D+\d+\D+\d+/));
  // The line that a batch has elsewhere shows its hash.
  expect(shown.stderr).not.toMatch(/\b0x[0-9a-f]{64}\b/);
  expect(shown.stdout).toContain("\u001b[32m");
  expect(shown.stdout).toMatch(/^sent +700 rows\D+\d+ transactions\b.* 0\.\d+ GAS$/m);
  const plain = await chain.cli(["push", "scores.csv", "--stage", "1"], { terminal: true, env: { NO_COLOR: "1" } });
  expect(plain.stdout).not.toContain("\u001b");
});

test("a dry run of a push that would be refused shows the plan and ends as the push", async () => {
  await chain.write("three.csv", csvOf(3));
  await chain.write("two.csv", csvOf(2));
  await chain.ok(["push", "three.csv", "--stage", "1"]);
  const outcomes = async (args: readonly string[]) => {
    const push = await chain.cli(["push", ...args, "--stage", "1", "--json"]);
    const dry = await chain.cli(["push", ...args, "--stage", "1", "--dry-run", "--json"]);
    expect(dry.json()).toEqual({ ...push.json(), ...dry.json(), error: push.json()["error"] });
    return { status: dry.status, push: push.status, ...dry.json() };
  };
  const refused = { status: 3, push: 3, dryRun: true, transactions: [] };
  const extra = { plan: { extra: 1 }, error: { code: "EXTRA_ACCOUNTS" } };
  expect(await outcomes(["two.csv"])).toMatchObject({ ...refused, ...extra });
  const maxFee = "0.0000000000000007";
  const expensive = { plan: { maxFee: "700" }, error: { code: "FEE_LIMIT" } };
  expect(await outcomes(["scores.csv", "--max-fee", maxFee])).toMatchObject({ ...refused, ...expensive });
  const { address } = testAccounts.deployer;
  const balance = await chain.rpc("eth_getBalance", [address, "latest"]);
  await chain.rpc("hardhat_setBalance", [address, "0x5"]);
  const poor = { plan: { balance: "5" }, error: { code: "INSUFFICIENT_FUNDS" } };
  expect(await outcomes(["scores.csv"])).toMatchObject({ ...refused, ...poor });
  await chain.rpc("hardhat_setBalance", [address, balance]);
});

test("extra accounts are shown, and --prune sets them to 0", async () => {
  await chain.write("three.csv", csvOf(3));
  await chain.write("two.csv", csvOf(2));
  await chain.ok(["push", "three.csv", "--stage", "1"]);
  const dry = await chain.cli(["push", "two.csv", "--stage", "1", "--dry-run"]);
  expect(dry.stdout).toMatch(/\b1\b.*\btwo\.csv$/m);
  expect(dry.stderr).toContain("--prune");
  const pruned = await chain.ok(["push", "two.csv", "--stage", "1", "--prune"]);
  expect(pruned).toMatchObject({ plan: { toZero: 1, extra: 0 }, verification: { agrees: true } });
});

test("--scale and --floor", async () => {
  await chain.write("tenths.csv", `${addressOf(7)},12.5\n`);
  expect(await chain.ok(["push", "tenths.csv", "--stage", "1", "--scale", "1"])).toMatchObject({
    file: { total: "125" },
  });
  expect(await chain.ok(["push", "tenths.csv", "--stage", "1", "--floor"])).toMatchObject({
    file: { total: "12" },
    plan: { change: 1 },
  });
});

test("warns of a total of 2^53, and writes u64 max exactly", async () => {
  await chain.write("below.csv", `${addressOf(7)},9007199254740991\n`);
  expect((await chain.cli(["push", "below.csv", "--stage", "1"])).stderr).not.toContain("2^53");
  await chain.write("large.csv", `${addressOf(7)},18446744073709551615\n`);
  const large = await chain.cli(["push", "large.csv", "--stage", "1", "--json"]);
  expect(large.stderr).toContain("2^53");
  expect(large.json()).toMatchObject({ verification: { total: { contract: "18446744073709551615" } } });
});

test("--max-fee: a push whose price is above it is refused", async () => {
  const args = ["push", "scores.csv", "--stage", "1"];
  const { plan } = await chain.ok([...args, "--dry-run"]);
  const { price, maxFee } = plan as { readonly price: string; readonly maxFee: string };
  expect(BigInt(maxFee)).toBe(3n * BigInt(price));
  const sent = await chain.transactionsSent();
  const refused = await chain.cli([...args, "--max-fee", "0.000001", "--json"]);
  expect(refused.json()["error"]).toMatchObject({ code: "FEE_LIMIT", exit: 3 });
  expect(refused.stderr).toContain("--max-fee");
  for (const amount of ["1e3", "-1", "1.0000000000000000001"]) {
    const bad = await chain.cli([...args, "--max-fee", amount, "--json"]);
    expect(bad.json()["error"]).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
  }
  expect(await chain.transactionsSent()).toBe(sent);
  expect(await chain.ok([...args, "--max-fee", "1"])).toMatchObject({ verification: { agrees: true } });
});

test("a dry run without a key has a price and no balance", async () => {
  const env = { JSON_RPC_URL: chain.node.rpcUrl.replace("127.0.0.1", "localhost") };
  const dry = await chain.ok(["push", "scores.csv", "--stage", "1", "--dry-run"], { env });
  expect(dry).toMatchObject({ plan: { balance: null, token: { symbol: "GAS", decimals: 18 } } });
  expect(dry["plan"]).toHaveProperty("price", expect.stringMatching(/^[1-9]\d*$/));
});

test("export and verify the stage", async () => {
  await chain.ok(["push", "scores.csv", "--stage", "1"]);
  const csv = await chain.cli(["export", "--stage", "1"]);
  expect(csv.stdout).toMatch(/^address,score\n0x/);
  await chain.write("again.csv", csv.stdout);
  expect(await chain.ok(["verify", "again.csv", "--stage", "1"])).toMatchObject({ verification: { agrees: true } });
  const out = await chain.ok(["export", "--stage", "1", "--out", "out.csv"]);
  expect(out).toMatchObject({ command: "export", accounts: 700, total: "944650", file: "out.csv" });
  expect(await readFile(join(chain.cwd, "out.csv"), "utf8")).toBe(csv.stdout);
  const verified = await chain.ok(["verify", "out.csv", "--stage", "1"]);
  expect(verified).toMatchObject({ verification: { sha256: { chain: out["sha256"] } } });
  const refused = await chain.cli(["export", "--stage", "1", "--out", "out.csv", "--json"]);
  expect(refused.json()["error"]).toMatchObject({ code: "FILE_UNWRITABLE", exit: 2 });
  const inline = await chain.ok(["export", "--stage", "1"]);
  expect((inline["scores"] as unknown[])[0]).toMatchObject({ score: expect.stringMatching(/^\d+$/) as string });
});

test("verify lists the differences", async () => {
  await chain.ok(["push", "scores.csv", "--stage", "1"]);
  const other = csvOf(700)
    .replace(",1004\n", ",4001\n")
    .replace(/^0x.*,1699\n/m, `${addressOf(9)},5\n`);
  await chain.write("other.csv", other);
  const result = await chain.cli(["verify", "other.csv", "--stage", "1"]);
  expect(result.status).toBe(3);
  expect(result.stderr).toMatch(/^0x0{34}abc004 +4,001 +1,004$/m);
  expect(result.stderr).toMatch(/^0x0{39}9 +5 +-$/m);
  expect(result.stderr).toMatch(/\[VERIFY_MISMATCH, exit 3\]$/m);
  const json = (await chain.cli(["verify", "other.csv", "--stage", "1", "--json"])).json();
  expect(json).toMatchObject({ error: { code: "VERIFY_MISMATCH", exit: 3 }, verification: { agrees: false } });
  expect((json["verification"] as { differences: unknown[] }).differences).toHaveLength(3);
});

test("journal: default path, empty, half a line, damaged, of another stage", async () => {
  await chain.ok(["push", "scores.csv", "--stage", "1"]);
  const folder = join(chain.cwd, ".vipscore", "journal");
  const names = await readdir(folder);
  expect(names).toContainEqual(expect.stringMatching(/^evm-31337-0x[0-9a-f]{40}-stage1-0x[0-9a-f]{40}\.jsonl$/));

  const own = join(chain.cwd, "own.jsonl");
  await writeFile(own, "");
  const empty = await chain.cli(["push", "scores.csv", "--stage", "1", "--journal", "own.jsonl"]);
  expect(empty.status).toBe(0);
  expect(empty.stderr).toMatch(/\bown\.jsonl\b/);
  const whole = await chain.cli(["push", "scores.csv", "--stage", "1", "--journal", "own.jsonl"]);
  expect(whole.stderr).not.toContain("own.jsonl");

  await truncate(own, (await stat(own)).size - 3);
  const half = await chain.cli(["push", "scores.csv", "--stage", "1", "--journal", "own.jsonl"]);
  expect(half.status).toBe(0);
  expect(half.stderr).toMatch(/\bown\.jsonl\b/);

  const at = "2026-01-01T00:00:00.000Z";
  const sent = { hash: `0x${"ab".repeat(32)}`, sequence: "999", gas: "1", rows: 1, at, sha256: "ab".repeat(32) };
  await appendFile(own, `${JSON.stringify({ sent })}\n`);
  const open = await chain.cli(["push", "scores.csv", "--stage", "1", "--journal", "own.jsonl"]);
  expect(open.status).toBe(0);
  expect(open.stderr).toMatch(/\b1 transaction\b.*\b2 min\b/);

  await writeFile(own, "not a journal\n");
  const damaged = await chain.cli(["push", "scores.csv", "--stage", "1", "--journal", "own.jsonl", "--json"]);
  expect(damaged.json()["error"]).toMatchObject({ code: "JOURNAL_INVALID", exit: 3 });
  expect(damaged.stderr).toMatch(/\bown\.jsonl:1\b/);

  const { address } = (await chain.ok(["status"]))["contract"] as { readonly address: string };
  await writeFile(
    own,
    `${JSON.stringify({ journal: { version: 1, vm: "evm", chainId: "31337", address, stage: "2" } })}\n`,
  );
  const other = await chain.cli(["push", "scores.csv", "--stage", "1", "--journal", "own.jsonl", "--json"]);
  expect(other.json()["error"]).toMatchObject({ code: "JOURNAL_INVALID", exit: 3 });
  expect(other.stderr).toMatch(/\bown\.jsonl\b.*\bstage 2\b.*\bstage 1\b/);
});

test("a header alone is an empty stage, for push, verify and finalize", async () => {
  await chain.write("empty.csv", "address,score\n");
  await chain.write("scores.csv", csvOf(3));
  await chain.ok(["push", "scores.csv", "--stage", "1"]);
  const extra = await chain.cli(["push", "empty.csv", "--stage", "1", "--json"]);
  expect(extra.json()).toMatchObject({ error: { code: "EXTRA_ACCOUNTS" } });
  const pruned = await chain.ok(["push", "empty.csv", "--stage", "1", "--prune"]);
  expect(pruned).toMatchObject({ file: { rows: 0, total: "0" }, plan: { toZero: 3 }, verification: { agrees: true } });
  expect(await chain.ok(["verify", "empty.csv", "--stage", "1"])).toMatchObject({ file: { rows: 0 } });
  const finalized = await chain.cli(["finalize", "--stage", "1", "--file", "empty.csv", "--yes", "--json"]);
  expect(finalized.json()).toMatchObject({
    verification: { agrees: true, isFinalized: true, total: { contract: "0" } },
  });
  expect(finalized.stderr).toMatch(/^warning .*\bstage 1\b.*\brewarded\b/m);
});

test("finalize: checks first, then asks for confirmation or takes --yes", async () => {
  await chain.ok(["push", "scores.csv", "--stage", "1"]);
  await chain.write("less.csv", csvOf(699));
  const sent = await chain.transactionsSent();
  const args = ["finalize", "--stage", "1", "--file", "scores.csv"];
  const differs = await chain.cli(["finalize", "--stage", "1", "--file", "less.csv", "--yes", "--json"]);
  expect(differs.json()["error"]).toMatchObject({ code: "VERIFY_MISMATCH", exit: 3 });
  const nobody = await chain.cli([...args, "--json"]);
  expect(nobody.json()["error"]).toMatchObject({ code: "CONFIRMATION_MISSING", exit: 3 });
  const wrong = await chain.cli(args, { typed: "yes\n" });
  expect(wrong.status).toBe(3);
  expect(wrong.stderr).toContain("CONFIRMATION_MISSING");
  expect(await chain.transactionsSent()).toBe(sent);

  const done = await chain.cli(args, { typed: "1\n" });
  expect(done.status).toBe(0);
  expect(done.stdout).toMatch(/^scores\.csv .*\b([0-9a-f]{64})\n.*\b\1$/m);
  expect(await chain.ok(["status"])).toMatchObject({
    stages: [
      { stage: "1", isFinalized: true },
      { stage: "2", isFinalized: false },
    ],
  });
  expect(await chain.ok(["verify", "scores.csv", "--stage", "1"])).toMatchObject({
    verification: { isFinalized: true },
  });
});

test("a file cut off in its last number: push and verify warn, finalize asks even with --yes", async () => {
  await chain.write("cut.csv", csvOf(3, 88612).slice(0, -3));
  const shown = /cut\.csv:4 {2}the last line "0x0*abc002,886" has no line end/;
  const push = await chain.cli(["push", "cut.csv", "--stage", "1"]);
  expect({ status: push.status, warned: shown.test(push.stderr) }).toEqual({ status: 0, warned: true });
  expect((await chain.cli(["verify", "cut.csv", "--stage", "1"])).stderr).toMatch(shown);
  const args = ["finalize", "--stage", "1", "--file", "cut.csv", "--yes"];
  const refused = await chain.cli([...args, "--json"]);
  expect(refused.json()["error"]).toMatchObject({ code: "CONFIRMATION_MISSING", exit: 3 });
  expect(refused.stderr).toMatch(shown);
  const asked = await chain.cli(args, { typed: "no\n" });
  expect({ status: asked.status, warned: shown.test(asked.stderr) }).toEqual({ status: 3, warned: true });
  expect((await chain.cli(args, { typed: "1\n" })).status).toBe(0);
});

test("finalize --yes prints one object", async () => {
  await chain.ok(["push", "scores.csv", "--stage", "1"]);
  const object = await chain.ok(["finalize", "--stage", "1", "--file", "scores.csv", "--yes"]);
  expect(object).toMatchObject({
    command: "finalize",
    stage: "1",
    transaction: { hash: expect.stringMatching(/^0x/) as string },
    verification: { agrees: true },
  });
});
