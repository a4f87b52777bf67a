/** The values of columns, by their type; one with `?` may be null. A `blob` can have megabytes. */
interface ValueTypes {
  readonly bytes: Buffer;
  readonly "bytes?": Buffer | null;
  readonly blob: Buffer;
  readonly text: string;
  readonly "text?": string | null;
  readonly integer: number;
  readonly bigint: number;
  readonly "bigint?": number | null;
}

type Columns = Readonly<Record<string, keyof ValueTypes>>;

/** A table: its columns, and lists of those of its primary key and of its other indexes. */
export interface Table<C extends Columns = Columns> {
  readonly keys: Keys<string>;
  readonly columns: C;
}

type Keys<Column> = readonly [primary: readonly Column[], ...others: (readonly Column[])[]];

function table<const C extends Columns>(keys: Keys<keyof C & string>, columns: C): Table<C> {
  return { keys, columns };
}

/**
 * The tables: every listing has an index that starts with its filter and continues in its order. Addresses are canonical bytes
 * (20, or 32 where the first 12 are not all zero), so that an account has one form; token IDs compare by their UTF-8 bytes on
 * both databases.
 */
export const tables = {
  /** The database's chain and its indexed height. One row. */
  chain: table([["id"]], {
    /** Always 1. */
    id: "integer",
    chain_id: "text",
    height: "bigint",
    block_hash: "text",
    /** Number of the next row of `token_transactions`. */
    next_sequence: "bigint",
    left_out: "bigint",
    /** Sum of the collections' differences. */
    difference: "bigint",
    /** Number of rows of `pending_uris`. */
    pending_uris: "bigint",
    collection_count: "bigint",
    /** Grows with each write that changes a listing, see `versionAfter`. */
    version: "bigint",
  }),
  collections: table([["collection_addr"], ["height", "collection_addr"], ["name"]], {
    collection_addr: "bytes",
    name: "text",
    /** The name before a transfer over IBC; empty if there was none. */
    origin_name: "text",
    /** The searched part of the name, see `searchName`. */
    search_name: "text",
    creator: "bytes",
    height: "bigint",
    timestamp: "text",
    token_count: "bigint",
    /** The indexed height at which its tokens last changed. */
    changed_at: "bigint",
    /** The indexed height at which its tokens were last compared with what its contract counts, and the difference. */
    compared_at: "bigint",
    difference: "bigint",
  }),
  /** The tokens that exist. */
  tokens: table(
    [
      ["collection_addr", "token_id"],
      ["collection_addr", "height", "token_id"],
      ["collection_addr", "token_number", "token_id"],
      ["owner", "token_id", "height", "collection_addr"],
      ["owner", "height", "token_id", "collection_addr"],
      ["owner", "collection_addr", "token_id"],
      ["owner", "collection_addr", "token_number", "token_id"],
      ["owner", "collection_addr", "height", "token_id"],
    ],
    {
      collection_addr: "bytes",
      token_id: "text",
      /** See `tokenNumber`. */
      token_number: "text",
      owner: "bytes",
      uri: "text",
      object_addr: "bytes?",
      height: "bigint",
      timestamp: "text",
    },
  ),
  /** The transactions that changed a token; kept after a burn. */
  token_transactions: table([["collection_addr", "token_id", "sequence"]], {
    collection_addr: "bytes",
    token_id: "text",
    /** Numbers the rows of the table in chain order, from 1. */
    sequence: "bigint",
    /** Numbers the transactions of the token, from 1. */
    number: "bigint",
    tx_hash: "text",
    height: "bigint",
    timestamp: "text",
  }),
  /** The existing tokens whose URI is to be read. */
  pending_uris: table(
    [
      ["collection_addr", "token_id"],
      ["height", "collection_addr", "token_id"],
    ],
    {
      collection_addr: "bytes",
      token_id: "text",
      /** The block as of which it is to be read. */
      height: "bigint",
      /** Number of URIs to read because of that block. */
      uris_in_block: "bigint",
    },
  ),
  /** The collections whose URIs are to be read again, token by token. */
  uri_updates: table([["collection_addr"]], {
    collection_addr: "bytes",
    /** The IDs to read again, in decimal, inclusive. */
    first_id: "text",
    last_id: "text",
    /** How many tokens the collection had at the newest block that asked for it. */
    token_count: "bigint",
    /** The newest block that asked for it. */
    height: "bigint",
    /** The block for which tokens are being added to `pending_uris`, up to `after_id`; null before it begins. */
    pass_height: "bigint?",
    after_id: "text",
  }),
  /** Contracts with transfers like a collection's that are not collections. */
  other_contracts: table([["address"]], {
    address: "bytes",
    /** The block from which on its transfers were not stored. */
    height: "bigint",
  }),
  /** Number of tokens of a collection that an owner has; no row for 0. */
  holdings: table([["owner", "collection_height", "collection_addr"]], {
    owner: "bytes",
    /** The collection's height, which orders an account's collections. */
    collection_height: "bigint",
    collection_addr: "bytes",
    token_count: "bigint",
  }),
  /** The accounts that have tokens. */
  owners: table([["owner"]], {
    owner: "bytes",
    token_count: "bigint",
    /** Number of collections in which it has tokens. */
    collection_count: "bigint",
    /** The indexed height at which its tokens last changed. */
    changed_at: "bigint",
  }),
  /** What the follower last saw of the chain. At most one row. */
  follower: table([["id"]], {
    /** Always 1. */
    id: "integer",
    /** The chain's newest height. */
    head: "bigint",
    /** When, in milliseconds since 1970. */
    seen_at: "bigint",
  }),
  /** The scoring contract whose stages are stored, and the block up to which they are. At most one row. */
  score_contract: table([["id"]], {
    /** Always 1. */
    id: "integer",
    vm: "text",
    chain_id: "text",
    address: "text",
    height: "bigint",
    block_hash: "text",
    /** Counts the writes that changed a stage. */
    version: "bigint",
    /** Scores that differed from the contract's and were repaired. */
    differences: "bigint",
    /** The chain's newest height, and when it was seen, in milliseconds since 1970. */
    head: "bigint",
    seen_at: "bigint",
    /** The rollup's bridge on L1, whose trees are stored; null if it is not known. */
    bridge_id: "bytes?",
  }),
  /** The stages of the contract. Numbers of the contract are big-endian u64, so that their bytes sort as they do. */
  score_stages: table([["stage"]], {
    stage: "bytes",
    total: "bytes",
    account_count: "bigint",
    /** Null for a contract without revisions. */
    revision: "bytes?",
    is_finalized: "integer",
    /** The block after which its rows were last changed. */
    height: "bigint",
    /** Hex digest of its table, once it is finalized. */
    digest: "text?",
    /** Its parts; a part before the first is gone. */
    first_part: "bigint",
    last_part: "bigint",
    /** Root of its stored tree, empty without leaves; null if none is stored. */
    root: "text?",
  }),
  /** Rows of a stage that were written together, packed by `StageRows`. Those of a later part count. */
  score_parts: table([["stage", "part"]], {
    stage: "bytes",
    part: "bigint",
    rows: "blob",
  }),
  /** The Merkle tree of a finalized stage, in parts that start with a node each. */
  score_trees: table(
    [
      ["stage", "level", "part"],
      ["stage", "level", "first_node"],
    ],
    {
      stage: "bytes",
      level: "integer",
      part: "bigint",
      first_node: "bytes",
      nodes: "blob",
    },
  ),
};

/** The tables, for the query builder. */
export type Tables = { [T in keyof typeof tables]: RowOf<(typeof tables)[T]["columns"]> };

type RowOf<C extends Columns> = { -readonly [N in keyof C]: ValueTypes[C[N]] };
