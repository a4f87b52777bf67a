import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { formatChecksummed, parseAccount } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { addressOf, csvOf, startTestChain } from "./harness.ts";

const { operator } = testAccounts;

/** A file of Safe's Transaction Builder, as far as it is read here. */
interface SafeFile {
  readonly version: string;
  readonly chainId: string;
  readonly createdAt: number;
  readonly meta: { readonly name: string; readonly createdFromSafeAddress: string };
  readonly transactions: readonly { readonly to: string; readonly value: string; readonly data: string }[];
}

/** The address of the multisig; the tests act for it without its signatures. */
const safe = formatChecksummed(parseAccount(`0x${"5afe".repeat(10)}`, { accountBytes: [20] }));

const chain = started(() => startTestChain());
let contract: string;
beforeAll(async () => {
  contract = await chain.deploy();
  await chain.rpc("hardhat_impersonateAccount", [safe]);
  await chain.rpc("hardhat_setBalance", [safe, "0xde0b6b3a7640000"]);
});

async function read(name: string): Promise<SafeFile> {
  return JSON.parse(await readFile(join(chain.cwd, name), "utf8")) as SafeFile;
}

/** Runs a command with `--unsigned`, executes the file as the multisig, and runs the command again. */
async function sign(name: string, args: readonly string[]): Promise<SafeFile> {
  const command = [...args, "--unsigned", name, "--from", safe];
  const sent = await chain.transactionsSent();
  const written = await chain.ok(command);
  expect(written).toMatchObject({
    transaction: null,
    unsigned: { file: name, format: "safe-transaction-builder", from: safe },
  });
  expect(await chain.transactionsSent()).toBe(sent);
  const file = await read(name);
  for (const { to, value, data } of file.transactions) {
    const gas = "0x4c4b40";
    await chain.rpc("eth_sendTransaction", [{ from: safe, to, value: `0x${BigInt(value).toString(16)}`, data, gas }]);
  }
  const again = await chain.ok(command);
  expect(again).toMatchObject({ transaction: null });
  expect(again).not.toHaveProperty("unsigned");
  return file;
}

test("a Safe owns the contract, manages its members and finalizes", async () => {
  await chain.ok(["owner", "offer", safe]);
  const file = await sign("accept.json", ["owner", "accept"]);
  expect(file).toMatchObject({
    version: "1.0",
    chainId: BigInt((await chain.rpc("eth_chainId")) as string).toString(),
    meta: { createdFromSafeAddress: safe },
    transactions: [{ to: contract, value: "0" }],
  });
  await sign("add.json", ["members", "add", addressOf(7)]);
  await sign("remove.json", ["members", "remove", addressOf(7)]);
  await sign("finalizer.json", ["members", "finalizer", safe]);
  await sign("manage.json", ["members", "manage", "off"]);
  await chain.write("scores.csv", csvOf(20));
  await chain.ok(["push", "scores.csv", "--stage", "1"]);
  await sign("finalize.json", ["finalize", "--stage", "1", "--file", "scores.csv"]);
  expect((await chain.ok(["status"]))["stages"]).toMatchObject([{ stage: "1", isFinalized: true }, {}]);
  await sign("offer.json", ["owner", "offer", operator.address]);
});

test("for people, the command says what to do with the file", async () => {
  const args = ["members", "add", addressOf(8), "--unsigned", "people.json", "--from", safe];
  const { status, stdout } = await chain.cli(args);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^call +addAllowList$/m);
  expect(stdout).toMatch(new RegExp(`^account +${addressOf(8)}$`, "im"));
  expect(stdout).toMatch(/^written {2}people\.json\b/m);
  // The Safe's app of this name loads the file.
  expect(stdout).toMatch(new RegExp(`\\bpeople\\.json\\b.*\\bTransaction Builder\\b.*\\b${safe}\\b.*\\b31337\\b`));
});

test.each([
  ["an account that may not", ["--from", operator.address], "PERMISSION_DENIED", 3],
  ["no account", [], "INPUT_INVALID", 2],
  ["a wrong account", ["--from", "0x12"], "INPUT_INVALID", 2],
  ["a device too", ["--from", safe, "--ledger"], "INPUT_INVALID", 2],
])("%s: nothing is written", async (_name, more, code, exit) => {
  const args = ["members", "add", addressOf(9), "--unsigned", "refused.json", ...more, "--json"];
  expect((await chain.cli(args)).json()["error"]).toMatchObject({ code, exit });
  expect(await readdir(chain.cwd)).not.toContain("refused.json");
});

test("an existing file stays", async () => {
  await chain.write("mine.json", "mine");
  const args = ["members", "add", addressOf(9), "--unsigned", "mine.json", "--from", safe, "--json"];
  expect((await chain.cli(args)).json()["error"]).toMatchObject({ code: "FILE_UNWRITABLE" });
  expect(await readFile(join(chain.cwd, "mine.json"), "utf8")).toBe("mine");
});

test("--from without --unsigned is refused", async () => {
  const result = await chain.cli(["members", "add", addressOf(9), "--from", safe, "--json"]);
  expect(result.json()["error"]).toMatchObject({ code: "INPUT_INVALID" });
});

test("a stage that does not hold the file is not written", async () => {
  await chain.write("other.csv", csvOf(3));
  const args = ["finalize", "--stage", "2", "--file", "other.csv", "--unsigned", "no.json", "--from", safe, "--json"];
  expect((await chain.cli(args)).json()["error"]).toMatchObject({ code: "VERIFY_MISMATCH" });
  expect(await readdir(chain.cwd)).not.toContain("no.json");
});
