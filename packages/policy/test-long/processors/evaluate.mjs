// Evaluates the SQL expressions of a file with the DuckDB of a folder of packages, and prints a line of JSON for each: its value, or the
// first line of the error. Plain JavaScript, because Node needs WebAssembly for TypeScript, and an emulated processor has none.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder = "", file = ""] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(join(folder, "package.json"))("@duckdb/node-api");
const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
const connection = await instance.connect();
// As a policy's query has them.
await connection.run("set timezone = 'UTC'");
for (const sql of JSON.parse(readFileSync(file, "utf8"))) {
  const shown = await connection.runAndReadAll(sql).then(
    (reader) => ({ rows: reader.getRowsJson() }),
    (error) => ({ error: error.message.split("\n")[0] }),
  );
  console.log(JSON.stringify(shown, (_, item) => (Object.is(item, -0) ? "-0" : item)));
}
