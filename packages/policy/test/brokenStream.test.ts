// DuckDB's Node API ends the rows of a query that fails midway without an error.
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { chunksOf, policyErrorOf } from "../src/data/readRows.ts";
import { limitsOf } from "../src/run/startQuery.ts";

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
  const query = { sql: "", mode: "optimized", limits: limitsOf() } as const;
  expect(policyErrorOf(broken, query)).toMatchObject({ code: "POLICY_LIMIT", cause: broken });
});
