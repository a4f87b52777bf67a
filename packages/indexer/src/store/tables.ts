/**
 * The tables, for the query builder. Addresses are canonical bytes (20, or 32 where the first 12 are not all zero), so that one
 * account has one spelling; token ids compare by their UTF-8 bytes on both databases.
 */
export interface Tables {
  /** One row. */
  chain: ChainTable;
  collections: CollectionsTable;
  tokens: TokensTable;
  token_transactions: TokenTransactionsTable;
  holdings: HoldingsTable;
}

/** The chain that the database is about, and how far it is indexed. */
export interface ChainTable {
  /** Always 1. */
  id: number;
  chain_id: string;
  height: number;
  block_hash: string;
  /** What the next row of `token_transactions` is numbered. */
  next_sequence: number;
  /** How many things of the chain were left out. */
  left_out: number;
}

/** The collections that were seen. */
export interface CollectionsTable {
  collection_addr: Buffer;
  name: string;
  /** What of the name is searched, see `searchName`. */
  search_name: string;
  creator: Buffer;
  height: number;
  timestamp: string;
  token_count: number;
}

/** The tokens that exist. */
export interface TokensTable {
  collection_addr: Buffer;
  token_id: string;
  owner: Buffer;
  uri: string;
  object_addr: Buffer | null;
  height: number;
  timestamp: string;
}

/** Which transactions changed a token; kept when the token is no more. */
export interface TokenTransactionsTable {
  collection_addr: Buffer;
  token_id: string;
  /** Counts the rows of the table in the order of the chain, from 1. */
  sequence: number;
  tx_hash: string;
  height: number;
  timestamp: string;
}

/** How many tokens of a collection an owner has; no row where there is none. */
export interface HoldingsTable {
  owner: Buffer;
  /** The collection's height: by it an account's collections are listed. */
  collection_height: number;
  collection_addr: Buffer;
  token_count: number;
}
