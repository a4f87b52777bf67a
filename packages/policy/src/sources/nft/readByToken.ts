import { join } from "node:path";
import { BrokenStream, chunksOf } from "../../data/chunksOf.ts";
import { selectPlaced } from "../../data/sourceSql.ts";
import { duckdb } from "../../duckdb.ts";
import { policyLimit } from "../../policyError.ts";
import { duckdbMessage } from "../../run/duckdbError.ts";
import { maxThreads } from "../../run/openTables.ts";
import type { CollectOptions, SourceData } from "../policySource.ts";
import type { TokenChange } from "./ownerPeriods.ts";

/** Memory for sorting, in MiB; what does not fit is written to the folder of the run. */
const memoryMiB = 768;

/**
 * Changes of tokens by collection and ID, each in the order of its bytes, and in the order of the chain. A change of an object
 * alone is one of each token that ever had the object; a change of any other object is left out.
 */
const byToken = `
select height, collection, token_id, object, is_of_token, owner from (
  select *, true as is_of_token from changes where collection <> ''
  union all by name
  select height, token.collection, token.token_id, object, false as is_of_token, owner, place
  from (from changes where collection = '')
  join (select distinct object, collection, token_id from changes where collection <> '' and object <> '') token
  using (object)
) order by collection, token_id, place`;

/**
 * Reads the changes of owners token by token.
 *
 * @param changes The rows of `nftChangesSource`.
 * @throws CheckError `POLICY_LIMIT` for more changes than can be sorted; Error of DuckDB; the signal's reason when aborted.
 */
export async function* readByToken(
  changes: SourceData,
  { folder, signal }: CollectOptions,
): AsyncGenerator<readonly TokenChange[], void, undefined> {
  const instance = await duckdb.DuckDBInstance.create(":memory:", {
    // One thread works, as each has buffers that the limit does not count; see `maxThreads` for the others.
    threads: `${maxThreads}`,
    external_threads: `${maxThreads}`,
    memory_limit: `${memoryMiB}MiB`,
    temp_directory: join(folder, `${changes.name}.sorted`),
    preserve_insertion_order: "false",
  });
  const connection = await instance.connect();
  // Sorting takes minutes before the first row comes.
  const interrupt = (): void => connection.interrupt();
  signal?.addEventListener("abort", interrupt);
  try {
    await connection.run(`create view changes as ${selectPlaced(changes)}`);
    signal?.throwIfAborted();
    for await (const chunk of chunksOf(await connection.stream(byToken))) {
      signal?.throwIfAborted();
      yield chunk.getRows().map(([height, collection, tokenId, object, isOfToken, owner]) => ({
        height: Number(height),
        collection: String(collection),
        tokenId: String(tokenId),
        object: String(object),
        isOfToken: isOfToken === true,
        owner: String(owner),
      }));
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!isLimit(error)) throw error;
    const problem = `the changes of ${changes.name} cannot be sorted in ${memoryMiB} MiB of memory and the free disk of ${folder}`;
    throw policyLimit(
      problem,
      [{ code: "spill", text: "Choose a larger disk to spill to, or divide its collections among several sources." }],
      error,
    );
  } finally {
    signal?.removeEventListener("abort", interrupt);
    connection.closeSync();
    instance.closeSync();
  }
}

function isLimit(error: unknown): boolean {
  return error instanceof BrokenStream || duckdbMessage(error)?.startsWith("Out of Memory Error") === true;
}
