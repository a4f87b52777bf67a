import { fsync } from "node:fs";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DuckDBAppender, DuckDBConnection, DuckDBInstance, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { duckdb } from "../duckdb.ts";
import { digestFile } from "../files/policyFile.ts";
import {
  isInIntegerRange,
  quoteName,
  type SourceColumn,
  type SourceData,
  type SourceRow,
} from "../sources/policySource.ts";
import { quoteString } from "./sourceSql.ts";

/** The folders of a source's files: its rows in their order, the same in the opposite order, and the digests of blocks. */
export const partFolders = ["rows", "reversed", "digests"] as const;

/** SHA-256 in hex of each of a part's files. */
export type PartHashes = Readonly<Record<(typeof partFolders)[number], string>>;

export const maxPartRows = 200_000;

/** Rows of a chunk of DuckDB. */
const chunkRows = 2048;

/**
 * Writes the parts of a source as Parquet files. While one part is written, rows of the next one can be added. The types of the
 * columns are the same in every part.
 */
export class PartWriter {
  readonly #folder: string;
  readonly #columns: readonly SourceColumn[];
  readonly #types: readonly DuckDBType[];
  readonly #instance: DuckDBInstance;
  readonly #adding: DuckDBConnection;
  /** A connection does one thing at a time. */
  readonly #writing: DuckDBConnection;
  #appender: DuckDBAppender | undefined;
  #waiting: SourceRow[] = [];
  #rows = 0;
  #parts = 0;

  private constructor(
    folder: string,
    columns: readonly SourceColumn[],
    instance: DuckDBInstance,
    connections: readonly [DuckDBConnection, DuckDBConnection],
  ) {
    this.#folder = folder;
    this.#columns = columns;
    this.#types = columns.map(storedType);
    this.#instance = instance;
    [this.#adding, this.#writing] = connections;
  }

  static async open(folder: string, columns: readonly SourceColumn[]): Promise<PartWriter> {
    for (const name of partFolders) await mkdir(join(folder, name), { recursive: true });
    // One thread, so that the other ones can read.
    const instance = await duckdb.DuckDBInstance.create(":memory:", { threads: "1", temp_directory: "" });
    return new PartWriter(folder, columns, instance, [await instance.connect(), await instance.connect()]);
  }

  get rows(): number {
    return this.#rows;
  }

  async add(rows: readonly SourceRow[]): Promise<void> {
    this.#appender ??= await this.#createTable();
    this.#rows += rows.length;
    // One by one: there can be more rows than a call takes arguments.
    for (const row of rows) {
      this.#waiting.push(row);
      if (this.#waiting.length === chunkRows) this.#append(this.#appender);
    }
  }

  /** Writes the part, completely or not at all. The next part begins at once. `digests`: the text of its file of digests. */
  async finish(name: string, digests: string): Promise<PartHashes> {
    this.#appender ??= await this.#createTable();
    this.#append(this.#appender);
    this.#appender.closeSync();
    const table = this.#table;
    this.#appender = undefined;
    this.#parts += 1;
    this.#rows = 0;
    const rows = await this.#write("rows", name, (path) => this.#copy(`from ${table}`, path));
    const reversed = await this.#write("reversed", name, (path) =>
      this.#copy(`from ${table} order by rowid desc`, path),
    );
    await this.#writing.run(`drop table ${table}`);
    return { rows, reversed, digests: await this.#write("digests", name, (path) => writeFile(path, digests)) };
  }

  /** Frees its memory; no part may be in the middle of being written. */
  close(): void {
    this.#appender?.closeSync();
    this.#adding.closeSync();
    this.#writing.closeSync();
    this.#instance.closeSync();
  }

  get #table(): string {
    return `part_${this.#parts}`;
  }

  async #createTable(): Promise<DuckDBAppender> {
    const fields = this.#columns.map(({ name }, index) => `${quoteName(name)} ${this.#types[index]?.toString()}`);
    await this.#adding.run(`create table ${this.#table} (${fields.join(", ")})`);
    return this.#adding.createAppender(this.#table);
  }

  #append(appender: DuckDBAppender): void {
    if (this.#waiting.length === 0) return;
    const chunk = duckdb.DuckDBDataChunk.create(this.#types, this.#waiting.length);
    for (const [index, column] of this.#columns.entries()) {
      chunk.setColumnValues(
        index,
        this.#waiting.map((row) => toStored(row, index, column)),
      );
    }
    appender.appendDataChunk(chunk);
    this.#waiting = [];
  }

  async #copy(select: string, path: string): Promise<void> {
    await this.#writing.run(`copy (${select}) to ${quoteString(path)} (format parquet, compression zstd)`);
  }

  async #write(folder: keyof PartHashes, name: string, write: (path: string) => Promise<void>): Promise<string> {
    const path = partPath(this.#folder, folder, name);
    const aside = `${path}.tmp`;
    try {
      await write(aside);
      await syncFile(aside);
      const { sha256 } = await digestFile({ name: aside, path: aside });
      await rename(aside, path);
      return sha256;
    } catch (error) {
      await rm(aside, { force: true }).catch(() => undefined);
      throw error;
    }
  }
}

export function partPath(source: string, folder: keyof PartHashes, name: string): string {
  return join(source, folder, `${name}.${folder === "digests" ? "txt" : "parquet"}`);
}

/** Whether a part between two heights, complete or not, has a file of this name. */
export function isPartFile(name: string): boolean {
  return /^part-\d+-\d+\.(?:parquet|txt)(?:\.tmp)?$/.test(name);
}

/** The files of parts, by their names in the order of the rows. */
export function partFiles(source: string, names: readonly string[]): Pick<SourceData, "files" | "reversed"> {
  return {
    files: names.map((name) => partPath(source, "rows", name)),
    reversed: names.map((name) => partPath(source, "reversed", name)).toReversed(),
  };
}

function storedType({ type, stored }: SourceColumn): DuckDBType {
  if (type === "boolean") return duckdb.BOOLEAN;
  if (type !== "integer") return duckdb.VARCHAR;
  return stored === "bigint" ? duckdb.BIGINT : duckdb.DECIMAL(38, 0);
}

function toStored(row: SourceRow, index: number, { name, type, stored, nullable }: SourceColumn): DuckDBValue {
  const value = row[index];
  if (value === null && nullable === true) return null;
  if (type === "integer") {
    if (typeof value === "bigint" && isInIntegerRange(value)) {
      return stored === "bigint" ? value : new duckdb.DuckDBDecimalValue(value, 38, 0);
    }
  } else if (typeof value === (type === "boolean" ? "boolean" : "string")) return value ?? null;
  throw new TypeError(`a row has a value for ${name} that is not of type ${type}`);
}

/** After a power failure, a file whose name is in the journal has its content. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    // A handle of Yarn's Plug'n'Play has no `sync`.
    await promisify(fsync)(file.fd);
  } finally {
    await file.close();
  }
}
