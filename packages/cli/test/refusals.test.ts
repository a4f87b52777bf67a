import { beforeAll, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { csvOf, startTestChain, type CliOptions } from "./harness.ts";

const chain = started(() => startTestChain());
let contract: string;
const operator: CliOptions = { env: { PRIVATE_KEY: testAccounts.operator.privateKey } };

beforeAll(async () => {
  await chain.write("scores.csv", csvOf(3));
  contract = await chain.deploy(3);
  await chain.ok(["push", "scores.csv", "--stage", "3"]);
  await chain.ok(["finalize", "--stage", "3", "--file", "scores.csv", "--yes"]);
});

/** Returns the error of a refused command, and the number of transactions that it sent. */
async function refusalOf(args: readonly string[], options?: CliOptions) {
  const before = await chain.transactionsSent();
  const result = await chain.cli([...args, "--json"], options);
  const { code, exit } = result.json()["error"] as { readonly code: string; readonly exit: number };
  const sent = (await chain.transactionsSent()) - before;
  return { code, exit, status: result.status, sent, text: result.stderr };
}

function refused(code: string, status: 2 | 3 | 4) {
  return { code, exit: status, status, sent: 0 };
}

const pushTo = (stage: number, ...more: readonly string[]): readonly string[] => [
  "push",
  "scores.csv",
  "--stage",
  `${stage}`,
  ...more,
];

const at = (endpoint: string): readonly string[] => ["--vm", "evm", "--endpoint", endpoint, "--contract", contract];

test("a finalized stage, for push and for finalize", async () => {
  const found = await refusalOf(pushTo(3));
  expect(found).toMatchObject(refused("STAGE_FINALIZED", 3));
  expect(found.text).toMatch(/\bstage 3\b.*\b3,?003\b/);
  await chain.write("other.csv", csvOf(3, 2000));
  const other = await refusalOf(["finalize", "--stage", "3", "--file", "other.csv", "--yes"]);
  expect(other).toMatchObject(refused("STAGE_FINALIZED", 3));
  const digests = other.text.match(/\b[0-9a-f]{64}\b/g) ?? [];
  expect(digests).toHaveLength(2);
  expect(digests[0]).not.toBe(digests[1]);
});

test("a stage that is already finalized with the file's scores succeeds", async () => {
  const before = await chain.transactionsSent();
  const again = await chain.ok(["finalize", "--stage", "3", "--file", "scores.csv"]);
  expect(again).toMatchObject({
    transaction: null,
    verification: { agrees: true, isFinalized: true },
    file: { name: "scores.csv" },
  });
  expect(await chain.transactionsSent()).toBe(before);
});

test("a signer that is not a member; the message names the members and what to do", async () => {
  const found = await refusalOf(pushTo(4), operator);
  expect(found).toMatchObject(refused("PERMISSION_DENIED", 3));
  expect(found.text.toLowerCase()).toContain(`vipscore members add ${testAccounts.operator.address.toLowerCase()}`);
  const adding = await refusalOf(["members", "add", testAccounts.operator.address], operator);
  expect(adding).toMatchObject(refused("PERMISSION_DENIED", 3));
});

test("another chain than expected", async () => {
  const found = await refusalOf(pushTo(4, "--chain-id", "7"));
  expect(found).toMatchObject(refused("CHAIN_MISMATCH", 3));
  expect(found.text).toMatch(/\b7\b.*--chain-id\b/);
});

test("no contract at the address", async () => {
  const found = await refusalOf(pushTo(4), { env: { CONTRACT_ADDRESS: testAccounts.operator.address } });
  expect(found).toMatchObject(refused("CONTRACT_NOT_FOUND", 3));
  expect(found.text).toMatch(/\b0x\w{4}…\w{4}\b.*\bCONTRACT_ADDRESS\b/);
});

test.each<[string, () => readonly string[], string, 2 | 3 | 4, CliOptions?]>([
  ["a stage that does not exist", () => pushTo(5), "STAGE_NOT_FOUND", 3],
  ["no key without a local node", () => pushTo(4, ...at("http://127.0.0.1:9")), "KEY_INVALID", 2],
  ["an endpoint that is down", () => ["status", ...at("http://127.0.0.1:9")], "NODE_UNREACHABLE", 4],
  ["no endpoint at all", () => ["status"], "CONFIG_INVALID", 2, { cwd: "/" }],
])("%s", async (_, args, code, status, options) => {
  expect(await refusalOf(args(), options)).toMatchObject(refused(code, status));
});

test("accounts missing from the file, without --prune", async () => {
  await chain.ok(pushTo(4));
  await chain.write("fewer.csv", csvOf(2));
  expect(await refusalOf(["push", "fewer.csv", "--stage", "4"])).toMatchObject(refused("EXTRA_ACCOUNTS", 3));
  expect(await refusalOf(["verify", "fewer.csv", "--stage", "4"])).toMatchObject(refused("VERIFY_MISMATCH", 3));
});
