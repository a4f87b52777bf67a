import { afterAll, beforeAll } from "vitest";
import { policyErrorOf } from "../src/data/readRows.ts";
import { tableOf } from "../src/data/sourceSql.ts";
import { openSources, readPolicy } from "../src/index.ts";
import { openTables } from "../src/run/openTables.ts";
import { prepareQuery } from "../src/run/runQuery.ts";
import { limitsOf } from "../src/run/startQuery.ts";
import { openPolicyFolder } from "./policyFolder.ts";

/**
 * Opens the tables of `pointsPolicy` for the tests of a file, in this process. The function that it returns checks a query over
 * them, and returns the error with which a run would refuse it before it runs; undefined if it would run.
 */
export function refusals(): (sql: string) => Promise<unknown> {
  let check: (sql: string) => Promise<unknown>;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const folder = await openPolicyFolder();
    const { path } = folder;
    const sources = openSources(await readPolicy(path));
    const collected = await Promise.all(sources.map((source) => source.collect({ folder: path })));
    const tables = collected.map((source) => tableOf(source, "stored"));
    const job = { sql: "", tables, limits: limitsOf(), mode: "optimized", spill: path } as const;
    const connection = await openTables(job);
    close = async () => {
      connection.closeSync();
      await folder[Symbol.asyncDispose]();
    };
    check = async (sql) => {
      try {
        await prepareQuery(connection, sql, tables);
        return undefined;
      } catch (error) {
        return policyErrorOf(error, { ...job, sql });
      }
    };
  });
  afterAll(() => close());
  return (sql) => check(sql);
}
