import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { formatBech32, formatChecksummed, parseAccount } from "@vipscore/core";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { addressOf, codeOf, runCli } from "./harness.ts";
import { tradesSource, writePolicyFolder } from "./tradesPolicy.ts";

const [one, two, three, four] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];
const checksummed = (address: string) => formatChecksummed(parseAccount(address, { accountBytes: [20] }));
const [first, second, third, fourth] = [one, two, three, four].map(checksummed);
const largest = 2n ** 64n - 1n;
const toml = `name = "season"
version = "1"
${tradesSource}`;
const sql = "select address, sum(volume) as score\nfrom trades\ngroup by address\n";
const trades = `address,volume\n${one},10\n${two},20\n${three},70\n`;
let cwd: string;

const writePolicy = (folder: string, files: Readonly<Record<string, string>>) =>
  writePolicyFolder(join(cwd, folder), { "policy.toml": toml, "policy.sql": sql, "trades.csv": trades, ...files });

beforeAll(async () => {
  cwd = temporaryFolder();
  await writePolicy("old", {});
  await writePolicy("new", {
    "policy.toml": `${toml.replace('"1"', '"2"')}\n[window]\nblocks = [1, 2]\n`,
    "policy.sql": sql
      .replace("sum(volume)", "least(sum(volume), 40)")
      .replace("group", `where address <> '${one}'\ngroup`),
    "trades.csv": `${trades}${four},5\n`,
  });
  await runCli(["score", "run", "old", "--stage", "12", "--out", "old.csv"], cwd);
  const padded = (address: string) => `0x${"0".repeat(24)}${address.slice(2).toUpperCase()}`;
  const bech32 = formatBech32(parseAccount(two, { accountBytes: [20] }));
  const files = {
    "spelled.json": `[["${padded(one)}", "10"], {"address": "${bech32}", "score": 20}, ["${third}", 70]]`,
    "empty.csv": "address,score\n",
    "twice.csv": `address,score\n${one},1\n${first},2\n`,
    "overflow.csv": `address,score\n${one},${largest}\n${two},1\n`,
    "nothing.csv": "",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
});

const compare = (...args: readonly string[]) => runCli(["score", "compare", ...args, "--json"], cwd);

test("two policies run over the blocks of the new one, and their files are compared", async () => {
  const result = await compare("old", "new", "--stage", "12", "--out", "compare.html", "--announce", "post.md");
  const { status, stderr } = result;
  expect(status).toBe(0);
  expect(result.json()).toMatchObject({
    command: "score compare",
    old: "old",
    new: "new",
    stage: "12",
    before: { total: "100", accounts: 3, largestShare: "70.0000", gini: "0.4000" },
    after: { total: "65", accounts: 3, largestShare: "61.5384", gini: "0.3589" },
    accounts: { entered: 1, left: 1, higher: 0, lower: 1, unchanged: 1 },
    largest: {
      entered: [{ address: fourth, score: { before: "0", after: "5" } }],
      left: [{ address: first, rank: { before: 3, after: null } }],
      "losses by score": [{ address: third, score: { before: "70", after: "40" } }, { address: first }],
      "gains by share": [{ address: second, share: { before: "20.0000", after: "30.7692" } }, { address: fourth }],
      "gains by rank": [],
    },
    files: [
      { name: "policy.sql", lines: expect.arrayContaining([`+ where address <> '${one}'`]) },
      { name: "policy.toml", lines: ['- version = "1"', '+ version = "2"', "+ ", "+ [window]", "+ blocks = [1, 2]"] },
      { name: "trades.csv", lines: [`+ ${four},5`] },
    ],
    file: "compare.html",
    announced: "post.md",
    gaps: expect.arrayContaining(["Start of the stage", "reason for the change, with its data"]),
  });
  expect(await readFile(join(cwd, "post.md"), "utf8")).toContain(`where address <> '${one}'`);
  expect(stderr).toMatch(/^ {2}Start\b/m);
  expect(stderr).toMatch(new RegExp(`Total +100 +65\\n(?:.*\\n)* *${third} +70 +40\\n(?:.*\\n)*trades\\.csv .*\\n`));
  expect(stderr).toMatch(/^warning .*\bnew\b.*\bold\b/m);
  expect(await readFile(join(cwd, "compare.html"), "utf8")).toContain(`+ where address &lt;&gt; &#39;${one}&#39;`);
});

test.each([
  ["a policy and its manifest", ["old", "old.manifest.json", "--stage", "12"]],
  ["a file, and the same accounts in other spellings", ["old.csv", "spelled.json"]],
])("finds no change between %s", async (_, args) => {
  const found = (await compare(...args)).json();
  expect(found).toMatchObject({ accounts: { entered: 0, left: 0, higher: 0, lower: 0, unchanged: 3 }, files: null });
});

test("a file without scores is one that all accounts leave", async () => {
  expect((await compare("old.csv", "empty.csv")).json()).toMatchObject({
    after: { total: "0", accounts: 0, largestShare: "0.0000", gini: "0.0000" },
    accounts: { left: 3 },
  });
});

test.each([
  ["a missing file", ["old.csv", "missing.csv"], "FILE_UNREADABLE"],
  ["a missing manifest", ["missing.manifest.json", "old.csv"], "FILE_UNREADABLE"],
  ["a file without text", ["nothing.csv", "old.csv"], "INPUT_INVALID"],
  ["an account in two spellings", ["old.csv", "twice.csv"], "INPUT_INVALID"],
  ["a total beyond u64", ["overflow.csv", "old.csv"], "INPUT_INVALID"],
  ["a policy without a stage", ["old", "old.csv"], "INPUT_INVALID"],
  ["a manifest of another stage", ["old.manifest.json", "old", "--stage", "13"], "INPUT_INVALID"],
  ["a folder without a policy", ["old.csv", ".", "--stage", "12"], "FILE_UNREADABLE"],
  ["a page that exists", ["missing", "missing", "--out", "old.csv"], "FILE_UNWRITABLE"],
])("refuses %s", async (_, args, code) => {
  const result = await compare(...args);
  expect([result.status, codeOf(result)]).toEqual([2, code]);
});

test("an error says which of two policies is wrong, and lists its rows", async () => {
  await writePolicy("wrong", { "policy.toml": `exclude = "exclude.csv"\n${toml}`, "exclude.csv": "address\n0x1\n" });
  const { status, stderr } = await compare("old", "wrong", "--stage", "12");
  expect(status).toBe(2);
  expect(stderr).toMatch(/^exclude\.csv:2 .*0x1.*\n.*\bwrong: .*\bINPUT_INVALID\b/m);
  await writePolicy("broken", { "policy.toml": "name = [" });
  const broken = await compare("old", "broken", "--stage", "12");
  expect(codeOf(broken)).toBe("POLICY_INVALID");
  expect(broken.stderr).toMatch(/^broken: policy\.toml\b.*\n.*\bTOML\b[^]*name = \[/m);
});

test("refuses a manifest whose file has other scores", async () => {
  await writeFile(join(cwd, "changed.csv"), `address,score\n${one},1\n`);
  const manifest = await readFile(join(cwd, "old.manifest.json"), "utf8");
  await writeFile(join(cwd, "changed.manifest.json"), manifest.replace('"old.csv"', '"changed.csv"'));
  expect(codeOf(await compare("changed.manifest.json", "old.csv"))).toBe("INPUT_INVALID");
});

test("a post is about two policies, and replaces no file", async () => {
  const ofFile = await compare("old", "scores.csv", "--stage", "12", "--announce", "other.md");
  expect(ofFile.status).toBe(2);
  expect(ofFile.stderr + ofFile.stdout).toContain("--announce");
  await expect(readFile(join(cwd, "other.md"))).rejects.toMatchObject({ code: "ENOENT" });
  await writeFile(join(cwd, "taken.md"), "mine");
  expect((await compare("old", "new", "--stage", "12", "--announce", "taken.md")).status).toBe(2);
  expect(await readFile(join(cwd, "taken.md"), "utf8")).toBe("mine");
});
