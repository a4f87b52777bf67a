import { CompiledQuery, type Compilable } from "kysely";
import type { Database } from "../../src/store/database.ts";

/** Returns the database's query plan: the rows of its command `explain`. */
export async function explain<Row>({ reader }: Database, command: string, query: Compilable): Promise<readonly Row[]> {
  const { sql, parameters } = query.compile();
  return (await reader.executeQuery<Row>(CompiledQuery.raw(`${command} ${sql}`, [...parameters]))).rows;
}
