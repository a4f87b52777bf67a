import { createHash } from "node:crypto";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRollupNode, readPolicy, type SourceDefinition } from "../src/index.ts";
import { evmEventsSource, type EvmEventsDefinition } from "../src/sources/evmEventsSource.ts";
import { alice, bob, openPolicyFolder, pointsPolicy } from "./policyFolder.ts";

const toml = pointsPolicy["policy.toml"];

async function readToml(text: string, files: Readonly<Record<string, string>> = {}) {
  await using folder = await openPolicyFolder({ "policy.toml": text, ...files });
  return await readPolicy(folder.path);
}

test("reads name, version, chain, window, sources and exclusions", async () => {
  const policy = await readToml(`exclude = "exclude.csv"\n${toml}\n[window]\nblocks = [1, 9007199254740991]\n`, {
    "exclude.csv": `address\n${bob}\n${alice}\n`,
  });
  expect(policy).toMatchObject({
    name: "points",
    version: "1",
    chainId: "rollup-1",
    window: { blocks: { first: 1, last: 9_007_199_254_740_991 } },
    sources: [
      {
        kind: "reference",
        name: "points",
        file: "points.csv",
        columns: [
          { name: "address", type: "address" },
          { name: "points", type: "integer" },
        ],
      },
    ],
    excluded: new Set([bob, alice]),
  });
});

test("the digest is that of one line for each file, and changes with every file", async () => {
  const digests = new Set<string>();
  const changes = [
    {},
    { "policy.toml": `${toml}\n` },
    { "policy.sql": `${pointsPolicy["policy.sql"]}\n` },
    { "points.csv": `${pointsPolicy["points.csv"]}\n` },
  ];
  for (const files of changes) {
    await using folder = await openPolicyFolder(files);
    await writeFile(join(folder.path, "notes.md"), "not part of the policy");
    const { digest } = await readPolicy(folder.path);
    const content = Object.entries({ ...pointsPolicy, ...files }).sort(([one], [other]) => (one < other ? -1 : 1));
    const lines = content.map(([name, text]) => `${sha256(text)}  ${Buffer.byteLength(text)}  ${name}\n`);
    expect(digest).toBe(sha256(lines.join("")));
    digests.add(digest);
  }
  expect(digests.size).toBe(changes.length);
});

describe("policy.toml is refused with the field:", () => {
  test.each([
    ["not TOML", "name = ", "policy.toml "],
    ["a missing name", toml.replace('name = "points"\nversion', "version"), "policy.toml: name "],
    ["a number as version", toml.replace('"1"', "1"), "policy.toml: version "],
    ["an empty name", toml.replace('"points"\nversion', '" "\nversion'), "policy.toml: name "],
    ["an unknown field", `color = "red"\n${toml}`, "policy.toml: color "],
    ["an unknown field of the rollup", toml.replace("chain_id", 'vm = "evm"\nchain_id'), "policy.toml: rollup.vm "],
    ["an unknown field of a source", toml.replace("kind =", 'sheet = "1"\nkind ='), "policy.toml: source[1].sheet "],
    ["an unknown kind", toml.replace('"reference"', '"guess"'), "policy.toml: source[1].kind "],
    ["no sources", toml.slice(0, toml.indexOf("[[source]]")), "policy.toml: source "],
    ["a table where a list belongs", toml.replace("[[source]]", "[source]"), "policy.toml: source "],
    ["two sources of a name", toml + toml.slice(toml.indexOf("[[source]]")), "policy.toml: source[2].name "],
    [
      "a name that is not one of SQL",
      toml.replace('"points"\nkind', '"my points"\nkind'),
      "policy.toml: source[1].name ",
    ],
    ["a name in capitals", toml.replace('"points"\nkind', '"Points"\nkind'), "policy.toml: source[1].name "],
    ["a name of DuckDB", toml.replace('"points"\nkind', '"duckdb_tables"\nkind'), "policy.toml: source[1].name "],
    ["an unknown type", toml.replace('"integer"', '"float"'), "policy.toml: source[1].columns.points "],
    ["no columns", toml.replace(/columns = .*/, "columns = {}"), "policy.toml: source[1].columns "],
    ["another format", toml.replace("points.csv", "points.xlsx"), "policy.toml: source[1].file "],
    ["a window of one block", `${toml}\n[window]\nblocks = [1]`, "policy.toml: window.blocks "],
    ["a window that ends first", `${toml}\n[window]\nblocks = [2, 1]`, "policy.toml: window.blocks "],
    ["another form of window", `${toml}\n[window]\nblocks = [1, 2]\ndays = 3`, "policy.toml: window.days "],
    ["a field with a control character", `"\\u001b[2J" = 1\n${toml}`, 'policy.toml: "\\u{1b}[2J" '],
  ])("%s", async (_, text, place) => {
    await expect(readToml(text)).rejects.toMatchObject({
      code: "POLICY_INVALID",
      shortMessage: expect.stringContaining(place),
    });
  });
});

test("a policy says which parameters are indexed, where no log can show it", async () => {
  const assumedOf = async (event: string) => {
    const source = `[[source]]\nname = "e"\nkind = "evm_events"\ncontracts = ["${alice}"]\nevent = "${event}"\n`;
    const [, definition] = (await readToml(`${toml}\n${source}`)).sources;
    const node = openRollupNode("evm", "http://127.0.0.1:1");
    return evmEventsSource(definition as SourceDefinition & EvmEventsDefinition, node).assumed;
  };
  const swapped = "event Paid(address indexed from, address to)";
  expect(await assumedOf(swapped)).toContain(swapped);
  expect(await assumedOf("event Paid(address indexed from, address indexed to)")).toBeUndefined();
});

describe("a time that does not exist is refused by name:", () => {
  test.each(["2027-02-30T00:00:00Z", "2027-02-29T00:00:00Z", "2027-04-31T00:00:00Z", "2027-02-27T24:00:00Z"])(
    "%s",
    async (time) => {
      await expect(readToml(`${toml}\n[window]\ntimes = ["2027-02-01T00:00:00Z", "${time}"]`)).rejects.toMatchObject({
        code: "POLICY_INVALID",
        shortMessage: expect.stringContaining(`policy.toml: window.times[2] is ${time}, `),
      });
    },
  );
});

describe("a file outside the folder is refused:", () => {
  test.each(["../points.csv", "/etc/passwd.csv", "a/../../points.csv", "./points.csv", "a\\\\points.csv"])(
    "%s",
    async (file) => {
      await expect(readToml(toml.replace("points.csv", file))).rejects.toMatchObject({ code: "POLICY_INVALID" });
    },
  );

  test("a link out of it, while a link inside is followed", async () => {
    await using other = await openPolicyFolder();
    await using folder = await openPolicyFolder({ "policy.toml": toml.replace("points.csv", "link.csv") });
    await symlink("points.csv", join(folder.path, "link.csv"));
    await expect(readPolicy(folder.path)).resolves.toMatchObject({ name: "points" });
    await using linked = await openPolicyFolder({ "policy.toml": toml.replace("points.csv", "link.csv") });
    await symlink(join(other.path, "points.csv"), join(linked.path, "link.csv"));
    await expect(readPolicy(linked.path)).rejects.toMatchObject({ code: "POLICY_INVALID" });
  });

  test("a folder in place of a file", async () => {
    await expect(
      readToml(toml.replace("points.csv", "folder.csv"), { "folder.csv/points.csv": "" }),
    ).rejects.toMatchObject({ code: "POLICY_INVALID" });
  });
});

test("missing files and folders are named", async () => {
  await expect(readPolicy("/nowhere")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  await expect(readToml(toml.replace("points.csv", "other.csv"))).rejects.toMatchObject({
    code: "FILE_UNREADABLE",
    shortMessage: expect.stringContaining("other.csv"),
  });
});

test("every row of the exclusions that is not an account is listed", async () => {
  const text = `exclude = "exclude.csv"\n${toml}`;
  await expect(readToml(text, { "exclude.csv": `address\nalice\n${bob}\n0x12\n` })).rejects.toMatchObject({
    code: "INPUT_INVALID",
    issues: [
      { file: "exclude.csv", row: 2 },
      { file: "exclude.csv", row: 4 },
    ],
  });
  await expect(readToml(text, { "exclude.csv": `name\n${bob}\n` })).rejects.toMatchObject({
    code: "POLICY_INVALID",
    shortMessage: expect.stringMatching(/\bexclude\.csv\b.*\baddress, account\b/),
  });
});

test("a checkout with CR LF is the same policy, whose text has LF", async () => {
  const files = {
    ...pointsPolicy,
    "policy.sql": "select address,\n 'a\nb' as note,\n 1 as score from points",
    "points.csv": `address,points\n${alice},5\n`.repeat(20_000),
  };
  // As `sed 's/$/\r/'` writes them: policy.sql has no line end.
  const withCr = Object.entries(files).map(([name, content]) => [name, content.replace(/\n|(?<!\n)$/g, "\r$&")]);
  await using one = await openPolicyFolder(files);
  await using other = await openPolicyFolder(Object.fromEntries(withCr) as typeof files);
  const [ours, theirs] = [await readPolicy(one.path), await readPolicy(other.path)];
  expect(theirs).toMatchObject({ digest: ours.digest, files: ours.files, warnings: [] });
  expect(theirs.sql).toBe(files["policy.sql"]);
});

test.each([
  `Address\n${bob}\n`,
  `sep=;\nnote;Wallet Address\nx;${bob}\n`,
  `"HolderAddress","Balance"\n"${bob}","1,000"\n`,
])("exclusions have the column names of score files: %j", async (csv) => {
  const { excluded } = await readToml(`exclude = "exclude.csv"\n${toml}`, { "exclude.csv": csv });
  expect(excluded).toEqual(new Set([bob]));
});

test("a CSV file whose last line has no line end is named, with the line", async () => {
  const text = `exclude = "exclude.csv"\n${toml}`;
  const { warnings } = await readToml(text, {
    "exclude.csv": `address\n${bob}`,
    "points.csv": `address,points\n${alice},88612\n${bob},886`,
    "policy.sql": pointsPolicy["policy.sql"],
  });
  expect(warnings).toEqual([
    expect.stringMatching(new RegExp(`^points\\.csv .*"${bob},886"`)),
    expect.stringMatching(new RegExp(`^exclude\\.csv .*"${bob}"`)),
  ]);
  expect((await readToml(text, { "exclude.csv": `address\r\n${bob}\r\n` })).warnings).toEqual([]);
});

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
