import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { writeSource } from "../src/data/writeSource.ts";
import { engines, sourceViews, type SourceColumn, type SourceData } from "../src/index.ts";
import { batchesOf } from "./batchesOf.ts";

const columns = [
  { name: "height", type: "integer", stored: "bigint" },
  { name: "group", type: "text" },
  { name: "amount", type: "integer" },
  { name: "isbig", type: "boolean" },
] as const satisfies readonly SourceColumn[];
const most = 10n ** 38n - 1n;

test("the view for DuckDB has the rows up to the last height", async () => {
  const folder = temporaryFolder("vipscore it's {a}*?");
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    const rows = [1n, 2n, 3n].map((height) => [height, "x", most - height, height > 1n]);
    const source = await writeSource({ name: "found", kind: "test", columns }, batchesOf(rows), { folder });
    await connection.run(sourceViews({ ...source, lastHeight: 2 }).duckdb);
    const reader = await connection.runAndReadAll("select * from found order by height");
    expect(reader.getRows()).toEqual(rows.slice(0, 2));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
});

test("views for other engines name every file once, and no other", () => {
  const files = Array.from({ length: 1201 }, (_, index) => `/data/rows/part-${index}.parquet`);
  const source: SourceData = {
    name: "found",
    kind: "test",
    columns,
    files,
    reversed: [],
    lastHeight: 9,
    rows: 1201,
    digest: "",
  };
  const views = sourceViews(source);
  for (const engine of engines)
    expect(views[engine].match(/part-\d+\.parquet/g)).toEqual(files.map((file) => file.slice(11)));
  for (const engine of ["spark", "clickhouse"] as const) {
    expect(views[engine].match(/where `height` <= 9/g)).toHaveLength(3);
    expect(sourceViews({ ...source, files: [] })[engine]).not.toContain("parquet");
  }
});
