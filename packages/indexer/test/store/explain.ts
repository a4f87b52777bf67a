import { CompiledQuery, type Compilable } from "kysely";
import type { Database } from "../../src/store/engine.ts";

/** What the database says of how it runs a query: the rows of its command `explain`. */
export async function explain<Row>({ reader }: Database, command: string, query: Compilable): Promise<readonly Row[]> {
  const { sql, parameters } = query.compile();
  return (await reader.executeQuery<Row>(CompiledQuery.raw(`${command} ${sql}`, [...parameters]))).rows;
}
