import { Kysely, PostgresDialect, type Compilable } from "kysely";
import pg from "pg";
import { VipError } from "@vipscore/core";
import { parseSecretUrl, postgresUrl, redactUrl } from "@vipscore/core/wire";
import { times } from "../times.ts";
import { claimPostgres } from "./claimWriting.ts";
import type { Database } from "./database.ts";
import type { Tables } from "./tables.ts";

const maxReaders = 9;

/**
 * Plan types that no statement here needs: each has an index with its rows in order. Without statistics, for example on
 * a newly filled table, the planner would prefer to sort.
 */
const plannerSettings = [
  "enable_sort",
  "enable_seqscan",
  "enable_bitmapscan",
  "enable_hashjoin",
  "enable_mergejoin",
  "jit",
];

/** Opens a database by URL. @throws VipError DATABASE_INVALID if it cannot store every text. */
export async function openPostgres(url: string): Promise<Database> {
  const shown = redactUrl(parseSecretUrl(url, "database's URL", postgresUrl));
  const types = new pg.TypeOverrides();
  // Heights, counts and sums as numbers: no table comes near 2^53 of anything.
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  const openPool = (options: pg.PoolConfig): pg.Pool => {
    const pool = new pg.Pool({
      connectionString: url,
      connectionTimeoutMillis: times.connectMs,
      types,
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its types do not say
      onConnect: (client) => client.query(plannerSettings.map((name) => `set ${name} = off`).join("; ")),
      ...options,
    });
    // A broken connection fails its current query, and the next query gets another; an unhandled event would end the
    // process.
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    return pool;
  };
  const readers = openPool({ max: maxReaders });
  let encoding: string | undefined;
  try {
    const { rows } = await readers.query<{ readonly server_encoding: string }>("show server_encoding");
    encoding = rows[0]?.server_encoding;
  } catch (error) {
    await readers.end();
    throw new VipError(`the database ${shown} cannot be reached: ${describeFailure(error)}`, {
      code: "DATABASE_UNREACHABLE",
      metaMessages: ["Check host, port, user, password and the database's name."],
    });
  }
  if (encoding !== "UTF8") {
    await readers.end();
    throw new VipError(`the database ${shown} stores text as ${encoding}, which lacks some characters`, {
      code: "DATABASE_INVALID",
      metaMessages: ["Create one with the encoding UTF8: create database … encoding 'UTF8' template template0"],
    });
  }
  // A permanent connection, which holds the write lock.
  const writer = postgresKysely(openPool({ max: 1, idleTimeoutMillis: 0 }));
  const reader = postgresKysely(readers);
  const close = async (): Promise<void> => {
    await writer.destroy();
    await reader.destroy();
    // A query builder that never ran a statement leaves its pool open.
    if (!readers.ended) await readers.end();
  };
  /** By their text; these queries have a few dozen texts. */
  const statementNames = new Map<string, string>();
  const readRows = async <Row extends readonly unknown[]>(query: Compilable): Promise<readonly Row[]> => {
    const { sql, parameters } = query.compile();
    // With a name, the server parses and plans it once for each connection.
    const name = statementNames.get(sql) ?? `rows_${statementNames.size}`;
    statementNames.set(sql, name);
    const values = [...parameters];
    return (await readers.query<Row & unknown[]>({ name, text: sql, values, rowMode: "array" })).rows;
  };
  return { engine: "postgres", writer, reader, readRows, claim: claimPostgres, close };
}

function postgresKysely(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

function describeFailure(error: unknown): string {
  // A host with several addresses fails with an error for each.
  if (error instanceof AggregateError) return error.errors.map(describeFailure).join("; ");
  return error instanceof Error ? error.message : String(error);
}
