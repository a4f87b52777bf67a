import { join } from "node:path";
import type { BlockRange, NftOwners } from "../../chain/chainSource.ts";
import { BrokenStream, chunksOf, duckdbMessage } from "../../data/readRows.ts";
import { selectPlaced } from "../../data/sourceSql.ts";
import { writeSource } from "../../data/writeSource.ts";
import { duckdb } from "../../duckdb.ts";
import { policyLimit } from "../../policyError.ts";
import { maxThreads } from "../../run/openTables.ts";
import type { CollectOptions, PolicySource, SourceData, SourceRow } from "../policySource.ts";
import { nftColumns, type NftDefinition } from "./nftChangesSource.ts";

/** Form in which each kind of source shows the owners of tokens. */
const rowsOfKind = { nft_holdings: holdingOf, nft_holdings_over_time: heldInside } as const;

/**
 * Derives the owners of tokens from their changes. Owners are those after each block: a token that is transferred in a block
 * belongs to its new owner from that block on. Rows are ordered by collection, by the bytes of the ID, and by height.
 *
 * `collect` also throws errors of {@link readByToken}.
 *
 * An event that no reader knows may have changed owners, so the tokens after the window are compared with their contracts' counts.
 */
export function nftHoldingsSource(
  { name, kind, collections }: Pick<NftDefinition, "name" | "kind" | "collections">,
  changes: PolicySource,
  window: BlockRange,
  owners: Pick<NftOwners, "countTokens">,
): PolicySource {
  const rowsOf = rowsOfKind[kind];
  const source = { name, kind, columns: nftColumns[kind] };
  return {
    ...source,
    async collect(options) {
      const stored = await changes.collect(options);
      const tokens = new Map<string, number>();
      const counted = (period: OwnerPeriod): readonly SourceRow[] => {
        if (period.end === undefined) tokens.set(period.collection, (tokens.get(period.collection) ?? 0) + 1);
        return rowsOf(period, window);
      };
      const data = await writeSource(source, inBatches(stored, counted, options), options);
      const { signal = new AbortController().signal } = options;
      let leftOut = 0;
      for (const collection of collections) {
        const found = tokens.get(collection) ?? 0;
        leftOut += Math.abs(((await owners.countTokens?.(collection, window.last, signal)) ?? found) - found);
      }
      return { ...data, compared: stored.compared, leftOut: leftOut === 0 ? undefined : leftOut };
    },
  };
}

async function* inBatches(
  changes: SourceData,
  rowsOf: (period: OwnerPeriod) => readonly SourceRow[],
  options: CollectOptions,
): AsyncGenerator<readonly SourceRow[], void, undefined> {
  const periods = new OwnerPeriods();
  for await (const batch of readByToken(changes, options)) {
    yield batch.flatMap((change) => periods.add(change)).flatMap(rowsOf);
  }
  yield periods.finish().flatMap(rowsOf);
}

function holdingOf({ collection, tokenId, owner, first, end }: OwnerPeriod): readonly SourceRow[] {
  return end === undefined ? [[collection, tokenId, owner, BigInt(first)]] : [];
}

function heldInside(period: OwnerPeriod, window: BlockRange): readonly SourceRow[] {
  const { collection, tokenId, owner, end = Number.POSITIVE_INFINITY } = period;
  const first = Math.max(window.first, period.first);
  const last = Math.min(window.last, end - 1);
  return first > last ? [] : [[collection, tokenId, owner, BigInt(first), BigInt(last), BigInt(last - first + 1)]];
}

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

/** Reads the changes of owners, the rows of `nftChangesSource`, token by token. */
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

interface TokenChange {
  readonly height: number;
  readonly collection: string;
  readonly tokenId: string;
  /** The token's object; empty if it has none. */
  readonly object: string;
  /** False for a change of an object that a token had before, and may have no longer. */
  readonly isOfToken: boolean;
  /** Empty if the token was burned. */
  readonly owner: string;
}

/** Who owned a token after each block from `first` on. */
interface OwnerPeriod {
  readonly collection: string;
  readonly tokenId: string;
  readonly owner: string;
  readonly first: number;
  /** The first block after which it was no longer the owner; undefined if there was none. */
  readonly end: number | undefined;
}

/** The owner after the blocks from `height` on; empty if the token did not exist. */
interface Owner {
  readonly owner: string;
  readonly height: number;
}

const nobody: Owner = { owner: "", height: 0 };

/**
 * Makes periods of changes that come token by token, those of a token in the order of the chain. Owners are those after each block:
 * a token that leaves its owner and returns within one block has stayed.
 */
class OwnerPeriods {
  #token: Pick<OwnerPeriod, "collection" | "tokenId"> = { collection: "", tokenId: "" };
  /** The token's object, until it is burned. */
  #object = "";
  #owner = nobody;
  /** The owner after the newest change, whose block may have more. */
  #newest = nobody;

  /** Adds a change, and returns the periods that are now complete. */
  add({ height, collection, tokenId, object, isOfToken, owner }: TokenChange): readonly OwnerPeriod[] {
    const ended: OwnerPeriod[] = [];
    if (collection !== this.#token.collection || tokenId !== this.#token.tokenId) {
      ended.push(...this.finish());
      this.#token = { collection, tokenId };
    }
    // An ID can be minted again, with another object.
    if (!isOfToken && object !== this.#object) return ended;
    if (isOfToken && object !== "") this.#object = object;
    if (owner === "") this.#object = "";
    if (height !== this.#newest.height) ended.push(...this.#endBlock());
    this.#newest = { owner, height };
    return ended;
  }

  /** Ends the newest token, and returns its last periods. */
  finish(): readonly OwnerPeriod[] {
    const ended = [...this.#endBlock(), ...this.#periodUntil(undefined)];
    this.#object = "";
    this.#owner = nobody;
    this.#newest = nobody;
    return ended;
  }

  #endBlock(): readonly OwnerPeriod[] {
    if (this.#newest.owner === this.#owner.owner) return [];
    const ended = this.#periodUntil(this.#newest.height);
    this.#owner = this.#newest;
    return ended;
  }

  #periodUntil(end: number | undefined): readonly OwnerPeriod[] {
    const { owner, height: first } = this.#owner;
    return owner === "" ? [] : [{ ...this.#token, owner, first, end }];
  }
}
