import { setImmediate } from "node:timers/promises";
import type { Compilable, Kysely } from "kysely";
import type { HexAddress } from "../chain/nftChain.ts";
import { databaseInvalid } from "./databaseErrors.ts";
import type { CollectionState, TokenState } from "./store.ts";
import type { Tables } from "./tables.ts";

/** The kind of database, for the few statements that differ. */
export type Engine = "sqlite" | "postgres";

export interface Database {
  readonly engine: Engine;
  readonly writer: Kysely<Tables>;
  /**
   * For reads; for a SQLite file a second connection, so that reads do not wait for transactions or see partial ones.
   */
  readonly reader: Kysely<Tables>;
  /**
   * Reads rows as lists of values in the order of the query's columns: for pages of a thousand rows, half the time of
   * objects.
   */
  readonly readRows: <Row extends readonly unknown[]>(query: Compilable) => Promise<readonly Row[]>;
  /** Ensures that no other program writes until this one exits or closes the database. @throws VipError DATABASE_IN_USE. */
  readonly claim: (connection: Kysely<Tables>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Rows per statement: SQLite blocks the program for a few milliseconds while it runs. */
const rowsPerStatement = 250;

/** Yields the rows in lists for one statement each; other pending work runs between two lists. */
export async function* inChunks<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    if (start > 0) await setImmediate();
    yield rows.slice(start, start + rowsPerStatement);
  }
}

/** The same, with what the rows of a list have in common. */
export async function* inChunksBy<Row, Key>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): AsyncGenerator<readonly [Key, readonly Row[]]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  for (const [key, group] of groups) for await (const chunk of inChunks(group)) yield [key, chunk];
}

export type TokenName = Pick<TokenState, "collectionAddr" | "tokenId">;

/** Yields the IDs of tokens in lists for one statement each, of one collection. */
export async function* idsInChunks(tokens: readonly TokenName[]) {
  for await (const [collectionAddr, chunk] of inChunksBy(tokens, (token) => token.collectionAddr))
    yield [addressBytes(collectionAddr), chunk.map(({ tokenId }) => tokenId), collectionAddr] as const;
}

/**
 * Runs work in a transaction of the writing program, with the chain's row, which nothing else changes meanwhile.
 *
 * @throws VipError `DATABASE_IN_USE`, and `DATABASE_INVALID` without a chain.
 */
export function writeChain<T>(
  { engine, writer, claim }: Database,
  work: (transaction: Kysely<Tables>, chain: Tables["chain"]) => Promise<T>,
): Promise<T> {
  return writer.transaction().execute(async (transaction) => {
    // Each time, because the connection may be a new one, and another program may have changed the row in between.
    await claim(transaction);
    const row = transaction.selectFrom("chain").selectAll();
    const chain = await (engine === "postgres" ? row.forUpdate() : row).executeTakeFirst();
    if (!chain) throw databaseInvalid("the database has no chain anymore");
    return work(transaction, chain);
  });
}

export function addressBytes(address: HexAddress): Buffer {
  return Buffer.from(address.slice(2), "hex");
}

export function addressOfBytes(bytes: Buffer): HexAddress {
  return `0x${bytes.toString("hex")}`;
}

export function u64Bytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

export function tokenOf(row: Tables["tokens"]): TokenState {
  return {
    collectionAddr: addressOfBytes(row.collection_addr),
    tokenId: row.token_id,
    owner: addressOfBytes(row.owner),
    uri: row.uri,
    objectAddr: row.object_addr ? addressOfBytes(row.object_addr) : undefined,
    height: row.height,
    timestamp: row.timestamp,
  };
}

/** The columns of a collection that do not change. */
export type StoredCollection = Omit<
  Tables["collections"],
  "search_name" | "token_count" | "changed_at" | "compared_at" | "difference"
>;

export function collectionOf(row: StoredCollection): CollectionState {
  return {
    collectionAddr: addressOfBytes(row.collection_addr),
    name: row.name,
    creator: addressOfBytes(row.creator),
    height: row.height,
    timestamp: row.timestamp,
  };
}

/**
 * Returns the searched part of a name: its letters, marks and digits in lowercase. Works like a real indexer
 * (initia-labs/rollytics, `api/handler/nft/cache.go`), character by character; a database, or lowercasing the whole
 * text, would differ for some (final Σ, İ).
 */
export function searchName(name: string): string {
  const [...characters] = name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "");
  return characters.map((character) => String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0)).join("");
}

/**
 * Returns a text that sorts as the number that a token ID is, exact at any length: the count of its digits, then the digits.
 * IDs that are not decimal numbers sort after all numbers.
 */
export function tokenNumber(tokenId: string): string {
  if (!/^[0-9]+$/.test(tokenId)) return "x";
  const digits = tokenId.replace(/^0+/, "");
  // Five digits: a requested ID may be as long as a request.
  return `${String(digits.length).padStart(5, "0")}${digits}`;
}

/**
 * Returns the version after a write that changes a listing: its time in milliseconds, so that a restored database, or a new
 * one in its place, has no version that it had before with other rows.
 */
export function versionAfter(version: number): number {
  return Math.max(version + 1, Date.now());
}
