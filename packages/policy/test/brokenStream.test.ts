// DuckDB's Node API ends the rows of a query that fails midway without an error.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { chunksOf, policyErrorOf } from "../src/data/readRows.ts";
import { limitsOf } from "../src/run/startQuery.ts";
import { readParquet } from "../src/sources/referenceSource.ts";
import { openPolicyFolder } from "./policyFolder.ts";

async function withDatabase<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const countRows = (sql: string): Promise<number> =>
  withDatabase(async (connection) => {
    let rows = 0;
    for await (const chunk of chunksOf(await connection.stream(sql))) rows += chunk.rowCount;
    return rows;
  });

test("the rows of a query that fails after some of them are not taken for all", async () => {
  const failing = (row: number) =>
    `select case when i = ${row} then error('row ${row}') else i end from range(1000000) as r(i)`;
  expect(await countRows(failing(-1))).toBe(1_000_000);
  const broken = await countRows(failing(900_000)).catch((error: unknown) => error);
  expect(broken).toMatchObject({ name: "BrokenStream" });
  expect(policyErrorOf(broken, { sql: "", limits: limitsOf() })).toMatchObject({ code: "POLICY_LIMIT", cause: broken });
});

test("a Parquet file that is damaged behind its first rows is refused", async () => {
  await using folder = await openPolicyFolder();
  const file = { name: "points.parquet", path: join(folder.path, "points.parquet") };
  const rows = "select hash(n) as points from range(1000000) as r(n)";
  await withDatabase((connection) =>
    connection.run(`copy (${rows}) to '${file.path}' (format parquet, row_group_size 100000, compression zstd)`),
  );
  const count = async (): Promise<number> => {
    let read = 0;
    for await (const chunk of readParquet(file, ["points"])) read += chunk.rows.length;
    return read;
  };
  expect(await count()).toBe(1_000_000);
  const bytes = await readFile(file.path);
  const damaged = Math.floor(bytes.length * 0.9);
  await writeFile(file.path, bytes.fill(0x55, damaged, damaged + 20_000));
  await expect(count()).rejects.toMatchObject({
    code: "POLICY_INVALID",
    shortMessage: expect.stringContaining(file.name),
  });
});
