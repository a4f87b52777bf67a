import { beforeAll, expect, test } from "vitest";
import { started } from "@vipscore/testkit/started";
import { addressOf, csvOf, startTestChain } from "./harness.ts";

const chain = started(() => startTestChain());
beforeAll(() => chain.deploy());

const good = addressOf(1);

/** Each file, and the expected reason for each rejected row. */
const cases: readonly (readonly [name: string, text: string | Uint8Array, reasons: readonly string[]])[] = [
  ["negative", `${good},-5\n`, ["SCORE_NEGATIVE"]],
  ["fractional", `${good},12.5\n`, ["SCORE_FRACTION"]],
  ["hex", `${good},0x10\n`, ["SCORE_INVALID"]],
  ["empty amount", `${good},\n`, ["SCORE_INVALID"]],
  ["exponent", `${good},1e18\n`, ["SCORE_INVALID"]],
  ["2^64", `${good},18446744073709551616\n`, ["SCORE_TOO_LARGE"]],
  ["total above u64", `${good},18446744073709551615\n${addressOf(2)},1\n`, ["TOTAL_TOO_LARGE"]],
  ["bad checksum", "0xC5ea55d90Ae84e307622f1b8B13535Ec3Eff0475,5\n", ["ADDRESS_CHECKSUM"]],
  ["wrong prefix", "cosmos1ch49tkg2ap8rqa3z7xutzdf4asl07pr4as0jmc,5\n", ["ADDRESS_PREFIX"]],
  ["32-byte address", `0x${"ab".repeat(32)},5\n`, ["ADDRESS_LENGTH"]],
  ["zero address", `${addressOf(0)},5\n`, ["ADDRESS_ZERO"]],
  ["unequal columns", `${good},5\n${addressOf(2)},5,6\n`, ["ROW_MALFORMED"]],
  ["binary", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), ["FILE_BINARY"]],
  ["empty file", "", ["FILE_EMPTY"]],
];

test.each(cases)("%s: exit 2, INPUT_INVALID, nothing sent", async (_name, text, reasons) => {
  const before = await chain.transactionsSent();
  await chain.write("bad.csv", text);
  const result = await chain.cli(["push", "bad.csv", "--stage", "1", "--json"]);
  expect(result.status).toBe(2);
  const error = result.json()["error"];
  expect(error).toMatchObject({
    code: "INPUT_INVALID",
    exit: 2,
    issues: reasons.map((reason) => ({ reason, file: "bad.csv" })),
  });
  expect(await chain.transactionsSent()).toBe(before);
});

test("an account in two forms: exit 2, both rows are named", async () => {
  const before = await chain.transactionsSent();
  await chain.write(
    "twice.csv",
    "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6,1\n0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475,2\n",
  );
  const result = await chain.cli(["push", "twice.csv", "--stage", "1", "--json"]);
  expect(result.status).toBe(2);
  expect(result.json()["error"]).toMatchObject({
    issues: [{ reason: "ADDRESS_DUPLICATE", row: 2, message: expect.stringContaining("row 1") as string }],
  });
  expect(await chain.transactionsSent()).toBe(before);
});

test("a missing file: exit 2, FILE_UNREADABLE", async () => {
  const result = await chain.cli(["push", "nowhere.csv", "--stage", "1", "--json"]);
  expect(result.status).toBe(2);
  expect(result.json()["error"]).toMatchObject({ code: "FILE_UNREADABLE" });
});

test("beyond 50 rows, a terminal shows the number of further rows; a pipe and --json get all", async () => {
  await chain.write("many.csv", csvOf(60, 1).replaceAll(/,(\d+)\n/g, ",-$1\n"));
  const terminal = await chain.cli(["push", "many.csv", "--stage", "1"], { terminal: true });
  expect(terminal.stderr.match(/^many\.csv:/gm)).toHaveLength(50);
  expect(terminal.stderr).toMatch(/\b10\b.*--json/);
  const pipe = await chain.cli(["push", "many.csv", "--stage", "1"]);
  expect(pipe.stderr.match(/^many\.csv:/gm)).toHaveLength(60);
  const json = await chain.cli(["push", "many.csv", "--stage", "1", "--json"]);
  expect((json.json()["error"] as { issues: unknown[] }).issues).toHaveLength(60);
});

test.each([
  ["stage 0", ["push", "scores.csv", "--stage", "0"], "STAGE_ZERO"],
  ["stage text", ["push", "scores.csv", "--stage", "one"], "INPUT_INVALID"],
  ["stage beyond u64", ["push", "scores.csv", "--stage", "18446744073709551616"], "INPUT_INVALID"],
  ["no stage", ["push", "scores.csv"], "INPUT_INVALID"],
  ["scale", ["push", "scores.csv", "--stage", "1", "--scale", "1.5"], "INPUT_INVALID"],
  ["format", ["push", "scores.csv", "--stage", "1", "--format", "xml"], "INPUT_INVALID"],
  ["unknown option", ["push", "scores.csv", "--stage", "1", "--frobnicate"], "INPUT_INVALID"],
  ["unknown command", ["frobnicate"], "INPUT_INVALID"],
  ["no command", [], "INPUT_INVALID"],
  ["port", ["node", "--port", "70000"], "INPUT_INVALID"],
  ["mempool", ["node", "--mempool", "classic"], "INPUT_INVALID"],
  ["contract", ["status", "--contract", "0x12"], "INPUT_INVALID"],
  ["account", ["members", "add", "0x12"], "INPUT_INVALID"],
  ["other VM", ["status", "--vm", "move"], "CONFIG_INVALID"],
  ["no first stage", ["deploy"], "CONFIG_INVALID"],
])("argument: %s", async (_name, args, code) => {
  const before = await chain.transactionsSent();
  const result = await chain.cli([...args, "--json"]);
  expect(result.json()["error"]).toMatchObject({ code, exit: 2 });
  expect(result.status).toBe(2);
  expect(await chain.transactionsSent()).toBe(before);
});

test.each([
  [["push", "scores.csv", "--sage", "1"], /--sage\b.*--stage\b/s],
  [["score", "run", "policy", "--stage", "1", "--ouf", "scores.csv"], /--ouf\b.*--out\b/s],
  [["score", "run", "policy", "--stage", "1"], /--out\b/],
])("%o names the mistyped option, or else the missing one", async (args, named) => {
  const result = await chain.cli([...args, "--json"]);
  expect(result.json()["error"]).toMatchObject({ code: "INPUT_INVALID", message: expect.stringMatching(named) });
});
