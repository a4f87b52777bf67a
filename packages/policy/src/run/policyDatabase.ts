import {
  BOOLEAN,
  DuckDBInstance,
  HUGEINT,
  VARCHAR,
  type DuckDBAppender,
  type DuckDBConnection,
  type DuckDBType,
} from "@duckdb/node-api";
import type { SignalOptions } from "@vipscore/core";
import {
  isInIntegerRange,
  quoteName,
  type ColumnType,
  type PolicySource,
  type SourceRow,
} from "../sources/policySource.ts";
import { SourceDigest } from "../sources/sourceDigest.ts";

/** Resources that a database may use. */
export interface DatabaseLimits {
  readonly threads: number;
  readonly memoryMiB: number;
}

/** A source as it was collected. */
export interface CollectedSource {
  readonly name: string;
  readonly kind: string;
  readonly rows: number;
  /** See `SourceDigest`. */
  readonly digest: string;
}

const sqlTypes: Readonly<Record<ColumnType, DuckDBType>> = {
  address: VARCHAR,
  integer: HUGEINT,
  text: VARCHAR,
  boolean: BOOLEAN,
};

/**
 * Settings after the sources are loaded. From then on a query reaches no file, no network, no extension and no setting, and
 * times are in UTC on every machine. The last one makes them final.
 */
const locked = [
  "TimeZone='UTC'",
  "enable_external_access=false",
  "autoinstall_known_extensions=false",
  "autoload_known_extensions=false",
  "lock_configuration=true",
];

/** A database in memory with a table for each source, locked against everything outside it. */
export class PolicyDatabase {
  readonly #instance: DuckDBInstance;
  readonly connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.connection = connection;
  }

  /** Collects the sources into a new database. @throws Errors of the sources and of DuckDB. */
  static async load(
    sources: readonly PolicySource[],
    limits: DatabaseLimits,
    options: SignalOptions = {},
  ): Promise<{ readonly database: PolicyDatabase; readonly collected: readonly CollectedSource[] }> {
    const collected: CollectedSource[] = [];
    const database = await PolicyDatabase.#open(limits, async (connection) => {
      for (const source of sources) {
        const digest = new SourceDigest(source.columns);
        await fill(connection, source, async (appender) => {
          for await (const rows of source.collect(options)) {
            options.signal?.throwIfAborted();
            digest.add(rows);
            for (const row of rows) appendRow(appender, source, row);
          }
        });
        const { name, kind } = source;
        collected.push({ name, kind, rows: digest.rows, digest: digest.finish() });
      }
    });
    return { database, collected };
  }

  /** Copies the tables into a new database, the last table and the last row first. */
  reversed(
    sources: readonly PolicySource[],
    limits: DatabaseLimits,
    options: SignalOptions = {},
  ): Promise<PolicyDatabase> {
    return PolicyDatabase.#open(limits, async (connection) => {
      for (const source of sources.toReversed()) {
        const rows = await this.connection.stream(`select * from ${quoteName(source.name)} order by rowid desc`);
        await fill(connection, source, async (appender) => {
          for await (const chunk of rows) {
            options.signal?.throwIfAborted();
            if (chunk.rowCount > 0) appender.appendDataChunk(chunk);
          }
        });
      }
    });
  }

  static async #open(
    limits: DatabaseLimits,
    load: (connection: DuckDBConnection) => Promise<void>,
  ): Promise<PolicyDatabase> {
    const instance = await DuckDBInstance.create(":memory:", {
      threads: `${limits.threads}`,
      memory_limit: `${limits.memoryMiB}MiB`,
      // Without it a large query would spill into a folder below the current one.
      temp_directory: "",
    });
    const database = new PolicyDatabase(instance, await instance.connect());
    try {
      await load(database.connection);
      for (const setting of locked) await database.connection.run(`set ${setting}`);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Frees its memory; nothing may run on its connection any more. */
  close(): void {
    this.connection.closeSync();
    this.#instance.closeSync();
  }
}

async function fill(
  connection: DuckDBConnection,
  { name, columns }: PolicySource,
  append: (appender: DuckDBAppender) => Promise<void>,
): Promise<void> {
  const fields = columns.map((column) => `${quoteName(column.name)} ${sqlTypes[column.type].toString()} not null`);
  await connection.run(`create table ${quoteName(name)} (${fields.join(", ")})`);
  const appender = await connection.createAppender(name);
  try {
    await append(appender);
  } finally {
    appender.closeSync();
  }
}

function appendRow(appender: DuckDBAppender, { name, columns }: PolicySource, row: SourceRow): void {
  for (const [index, { name: column, type }] of columns.entries()) {
    const value = row[index];
    if (type === "integer" && typeof value === "bigint" && isInIntegerRange(value)) {
      appender.appendHugeInt(value);
    } else if (type === "boolean" && typeof value === "boolean") appender.appendBoolean(value);
    else if ((type === "text" || type === "address") && typeof value === "string") appender.appendVarchar(value);
    else throw new TypeError(`source ${name} yields a value for ${column} that is not of type ${type}`);
  }
  if (row.length !== columns.length) throw new TypeError(`source ${name} yields ${row.length} values in a row`);
  appender.endRow();
}
