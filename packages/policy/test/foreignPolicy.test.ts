// Whatever is in the folder of a stranger's policy, it is read or refused with a code.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { fuzzReader } from "@vipscore/testkit/fuzzReader";
import { readPolicy } from "../src/index.ts";
import { readParquet } from "../src/sources/referenceSource.ts";
import { alice, bobBech32, openPolicyFolder, pointsPolicy } from "./policyFolder.ts";

async function writeParquet(path: string, rows: string, options = ""): Promise<Buffer> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`copy (${rows}) to '${path}' (format parquet${options})`);
  connection.closeSync();
  instance.closeSync();
  return readFile(path);
}

const start = `name = "trades"\nversion = "1"\n[rollup]\nchain_id = "rollup-1"\n[window]\nblocks = [1, 9]\n`;
const events = `${start}[[source]]
name = "trades"
kind = "evm_events"
contracts = ["${alice}"]
event = "event Trade(address indexed trader, (uint256 amount, bytes32[2] id)[] fills)"
`;
const moveEvents = `${start}[[source]]
name = "trades"
kind = "move_events"
type = "0x1::dex::Swap<0x1::coin::Coin<u64>, vector<u8>>"
columns = { trader = "address", amount = "integer" }
`;

test("policy.toml", async () => {
  const read = async (text: string): Promise<void> => {
    await using folder = await openPolicyFolder({ "policy.toml": text });
    await readPolicy(folder.path);
  };
  expect(await fuzzReader([pointsPolicy["policy.toml"], events, moveEvents], read)).toBeGreaterThan(0);
});

test("the accounts that a policy leaves out", async () => {
  const toml = `exclude = "exclude.csv"\n${pointsPolicy["policy.toml"]}`;
  const read = async (text: string): Promise<void> => {
    await using folder = await openPolicyFolder({ "policy.toml": toml, "exclude.csv": text });
    await readPolicy(folder.path);
  };
  expect(await fuzzReader([`address\n${alice}\n${bobBech32}\n`], read)).toBeGreaterThan(0);
});

test("a Parquet file", async () => {
  await using folder = await openPolicyFolder();
  const file = { name: "points.parquet", path: join(folder.path, "points.parquet") };
  const accounts = `select 'init1ch49' || n as address, n * n as points from range(100) as r(n)`;
  const write = async (options: string): Promise<string> =>
    (await writeParquet(file.path, accounts, options)).toString("latin1");
  const valid = [await write(""), await write(", compression zstd, row_group_size 10")];
  const read = async (bytes: string): Promise<void> => {
    await writeFile(file.path, bytes, "latin1");
    for await (const { rows } of readParquet(file, ["address", "points"])) expect(rows.length).toBeLessThan(1_000_000);
  };
  expect(await fuzzReader(valid, read)).toBeGreaterThan(0);
});

test("a small Parquet file that becomes more than the memory of a run is refused", async () => {
  const toml = pointsPolicy["policy.toml"]
    .replace("points.csv", "points.parquet")
    .replace('points = "integer"', '$&, note = "text"');
  await using folder = await openPolicyFolder({ "policy.toml": toml });
  const rows = `select '${alice}' as address, 1 as points, repeat('x', 400000) as note from range(2000)`;
  const bytes = await writeParquet(join(folder.path, "points.parquet"), rows, ", compression zstd");
  expect(bytes.length).toBeLessThan(100_000);
  await expect(folder.run({ memoryMiB: 512 })).rejects.toMatchObject({
    code: "POLICY_LIMIT",
    shortMessage: expect.stringMatching(/\b512 MiB\b/),
    advice: expect.arrayContaining([expect.objectContaining({ code: "more-memory" })]),
  });
});
