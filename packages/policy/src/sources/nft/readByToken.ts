import { join } from "node:path";
import { selectPlaced } from "../../data/sourceSql.ts";
import { duckdb } from "../../duckdb.ts";
import { policyLimit } from "../../policyError.ts";
import { duckdbMessage } from "../../run/duckdbError.ts";
import type { CollectOptions, SourceData } from "../policySource.ts";
import type { TokenChange } from "./ownerPeriods.ts";

/** Memory for sorting, in MiB; what does not fit is written to the folder of the run. */
const memoryMiB = 384;

/**
 * Changes of tokens by collection and ID, each in the order of its bytes, and in the order of the chain. A change of an object
 * alone is one of the token that had the object last; a change of any other object is left out.
 */
const byToken = `
select height, collection, token_id, object, is_of_token, owner from (
  select *, true as is_of_token from changes where collection <> ''
  union all by name
  select moved.height, minted.collection, minted.token_id, moved.object, false as is_of_token, moved.owner, moved.place
  from (from changes where collection = '') moved
  asof join (from changes where collection <> '' and object <> '') minted
  on moved.object = minted.object and moved.place > minted.place
) order by collection, token_id, place`;

/**
 * Reads the changes of owners token by token, however many there are.
 *
 * @param changes The rows of `nftChangesSource`.
 * @throws CheckError `POLICY_LIMIT` when the disk is full; Error of DuckDB; the signal's reason when aborted.
 */
export async function* readByToken(
  changes: SourceData,
  { folder, signal }: CollectOptions,
): AsyncGenerator<readonly TokenChange[], void, undefined> {
  const instance = await duckdb.DuckDBInstance.create(":memory:", {
    threads: "2",
    memory_limit: `${memoryMiB}MiB`,
    temp_directory: join(folder, `${changes.name}.sorted`),
  });
  const connection = await instance.connect();
  try {
    await connection.run(`create view changes as ${selectPlaced(changes)}`);
    for await (const chunk of await connection.stream(byToken)) {
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
    if (!isFull(error)) throw error;
    const problem = `${folder} has no room to sort the changes of ${changes.name}`;
    throw policyLimit(problem, ["Choose a folder on a larger disk with --spill."], error);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function isFull(error: unknown): boolean {
  return duckdbMessage(error)?.startsWith("Out of Memory Error") ?? false;
}
