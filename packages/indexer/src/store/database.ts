import { setImmediate } from "node:timers/promises";
import type { Compilable, Kysely } from "kysely";
import type { HexAddress } from "../chain/nftChain.ts";
import type { CollectionState, TokenState } from "./store.ts";

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

/**
 * The tables, for the query builder. Addresses are canonical bytes (20, or 32 where the first 12 are not all zero), so
 * that an account has one form; token IDs compare by their UTF-8 bytes on both databases.
 */
export interface Tables {
  /** One row. */
  chain: ChainTable;
  collections: CollectionsTable;
  tokens: TokensTable;
  token_transactions: TokenTransactionsTable;
  pending_uris: PendingUrisTable;
  uri_updates: UriUpdatesTable;
  other_contracts: OtherContractsTable;
  holdings: HoldingsTable;
  owners: OwnersTable;
  /** At most one row. */
  follower: FollowerTable;
  /** At most one row. */
  score_contract: ScoreContractTable;
  score_stages: ScoreStagesTable;
  score_parts: ScorePartsTable;
  score_trees: ScoreTreesTable;
}

/** The database's chain and its indexed height. */
export interface ChainTable {
  /** Always 1. */
  id: number;
  chain_id: string;
  height: number;
  block_hash: string;
  /** Number of the next row of `token_transactions`. */
  next_sequence: number;
  left_out: number;
  /** Sum of the collections' differences. */
  difference: number;
  /** Number of rows of `pending_uris`. */
  pending_uris: number;
  collection_count: number;
  /** Grows with each write that changes a listing, see {@link versionAfter}. */
  version: number;
}

export interface CollectionsTable {
  collection_addr: Buffer;
  name: string;
  /** The name before a transfer over IBC; empty if there was none. */
  origin_name: string;
  /** The searched part of the name, see `searchName`. */
  search_name: string;
  creator: Buffer;
  height: number;
  timestamp: string;
  token_count: number;
  /** The indexed height at which its tokens last changed. */
  changed_at: number;
  /** The indexed height at which its tokens were last compared with what its contract counts, and the difference. */
  compared_at: number;
  difference: number;
}

/** The tokens that exist. */
export interface TokensTable {
  collection_addr: Buffer;
  token_id: string;
  /** See {@link tokenNumber}. */
  token_number: string;
  owner: Buffer;
  uri: string;
  object_addr: Buffer | null;
  height: number;
  timestamp: string;
}

/** The existing tokens whose URI is to be read. */
export interface PendingUrisTable {
  collection_addr: Buffer;
  token_id: string;
  /** The block as of which it is to be read. */
  height: number;
  /** Number of URIs to read because of that block. */
  uris_in_block: number;
}

/** The collections whose URIs are to be read again, token by token. */
export interface UriUpdatesTable {
  collection_addr: Buffer;
  /** The IDs to read again, in decimal, inclusive. */
  first_id: string;
  last_id: string;
  /** How many tokens the collection had at the newest block that asked for it. */
  token_count: number;
  /** The newest block that asked for it. */
  height: number;
  /** The block for which tokens are being added to `pending_uris`, up to `after_id`; null before it begins. */
  pass_height: number | null;
  after_id: string;
}

/** Contracts with transfers like a collection's that are not collections. */
export interface OtherContractsTable {
  address: Buffer;
  /** The block from which on its transfers were not stored. */
  height: number;
}

/** The transactions that changed a token; kept after a burn. */
export interface TokenTransactionsTable {
  collection_addr: Buffer;
  token_id: string;
  /** Numbers the rows of the table in chain order, from 1. */
  sequence: number;
  /** Numbers the transactions of the token, from 1. */
  number: number;
  tx_hash: string;
  height: number;
  timestamp: string;
}

/** Number of tokens of a collection that an owner has; no row for 0. */
export interface HoldingsTable {
  owner: Buffer;
  /** The collection's height, which orders an account's collections. */
  collection_height: number;
  collection_addr: Buffer;
  token_count: number;
}

/** The accounts that have tokens. */
export interface OwnersTable {
  owner: Buffer;
  token_count: number;
  /** Number of collections in which it has tokens. */
  collection_count: number;
  /** The indexed height at which its tokens last changed. */
  changed_at: number;
}

/** What the follower last saw of the chain. */
export interface FollowerTable {
  /** Always 1. */
  id: number;
  /** The chain's newest height. */
  head: number;
  /** When, in milliseconds since 1970. */
  seen_at: number;
}

/** The scoring contract whose stages are stored, and the block up to which they are. */
export interface ScoreContractTable {
  /** Always 1. */
  id: number;
  vm: string;
  chain_id: string;
  address: string;
  height: number;
  block_hash: string;
  /** Counts the writes that changed a stage. */
  version: number;
  /** Scores that differed from the contract's and were repaired. */
  differences: number;
  /** The chain's newest height, and when it was seen, in milliseconds since 1970. */
  head: number;
  seen_at: number;
  /** The rollup's bridge on L1, whose trees are stored; null if it is not known. */
  bridge_id: Buffer | null;
}

/** The stages of the contract. Numbers of the contract are big-endian u64, so that their bytes sort as they do. */
export interface ScoreStagesTable {
  stage: Buffer;
  total: Buffer;
  account_count: number;
  /** Null for a contract without revisions. */
  revision: Buffer | null;
  is_finalized: number;
  /** The block after which its rows were last changed. */
  height: number;
  /** Hex digest of its table, once it is finalized. */
  digest: string | null;
  /** Its parts; a part before the first is gone. */
  first_part: number;
  last_part: number;
  /** Root of its stored tree, empty without leaves; null if none is stored. */
  root: string | null;
}

/** Rows of a stage that were written together, packed by `StageRows`. Those of a later part count. */
export interface ScorePartsTable {
  stage: Buffer;
  part: number;
  rows: Buffer;
}

/** The Merkle tree of a finalized stage, in parts that start with a node each. */
export interface ScoreTreesTable {
  stage: Buffer;
  level: number;
  part: number;
  first_node: Buffer;
  nodes: Buffer;
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

/** Groups rows by collection, so that one statement can include many of them. */
export function byCollection<Row, Collection>(
  rows: readonly Row[],
  keyOf: (row: Row) => Collection,
): ReadonlyMap<Collection, readonly Row[]> {
  const groups = new Map<Collection, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
