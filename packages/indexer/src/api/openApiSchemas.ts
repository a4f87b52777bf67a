const hexAddress = {
  type: "string",
  pattern: "^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$",
  description: "0x hex of 20 bytes, or of 32 if the first 12 are not all zero",
} as const;

const bech32Address = {
  type: "string",
  pattern: "^init1(?:[02-9ac-hj-np-z]{38}|[02-9ac-hj-np-z]{58})$",
  description: "Bech32 with the prefix init, of 20 or 32 bytes",
} as const;

const height = { type: "integer", minimum: 0, description: "Height of a block" } as const;

const timestamp = {
  type: "string",
  format: "date-time",
  description: "RFC 3339, with up to 6 fractional digits",
} as const;

const key = { type: ["string", "null"], contentEncoding: "base64" } as const;

/** Describes an object that always has these fields; later versions may add others. */
export function object<const T extends Readonly<Record<string, unknown>>>(properties: T) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a literal
  return { type: "object", properties, required: Object.keys(properties) as (keyof T & string)[] } as const;
}

/** The schemas of the answers, JSON Schema 2020-12. */
export const openApiSchemas = {
  NftToken: object({
    collection_addr: hexAddress,
    collection_name: { type: "string", description: "Empty if the chain has none" },
    collection_origin_name: { type: "string", description: "Always empty" },
    object_addr: {
      type: "string",
      pattern: "^(?:0x[0-9a-f]+)?$",
      description: "The token's object on Move; empty elsewhere",
    },
    owner: bech32Address,
    nft: object({
      token_id: { type: "string", description: "Decimal on EVM, any text elsewhere; unique within the collection" },
      uri: { type: "string", description: "Location of the token's metadata; may be empty" },
    }),
    height: { ...height, description: "Block of the token's last change" },
    timestamp,
  }),
  NftCollection: object({
    object_addr: { ...hexAddress, description: "The collection's address, on every VM" },
    collection: object({
      creator: bech32Address,
      name: { type: "string" },
      origin_name: { type: "string", description: "Always empty here" },
      nfts: object({
        handle: { type: "string", description: "Always empty here" },
        length: { type: "integer", minimum: 0, description: "Number of tokens in the collection" },
      }),
    }),
    height: { ...height, description: "Block in which the collection was first seen" },
    timestamp,
  }),
  NftTransaction: object({
    txhash: { type: "string", description: "In the chain's own spelling" },
    height,
    timestamp,
  }),
  Pagination: object({
    previous_key: { ...key, description: "Key of the previous page; null after a key that holds a row" },
    next_key: {
      ...key,
      description: "Key of the next page; null at the end. A full page has one, though the next may be empty",
    },
    total: {
      type: "string",
      pattern: "^[0-9]+$",
      description: "Exact number of rows in the whole listing; 0 if counting is off",
    },
  }),
  IndexerStatus: object({
    version: { type: "string" },
    commit_hash: { type: "string" },
    chain_id: { type: "string", description: "Empty before the chain is first read" },
    height: { ...height, description: "Newest indexed block" },
    left_out: {
      type: "integer",
      minimum: 0,
      description: "Number of items left out: tokens that no page could hold, and data that could not be read",
    },
    pending_uris: {
      type: "integer",
      minimum: 0,
      description: "Number of tokens whose URI is not read yet: it is empty meanwhile, or the one before its change",
    },
    lag: {
      type: "integer",
      minimum: 0,
      description: "Number of blocks that the chain had above height when the follower last looked",
    },
    seen_at: {
      type: ["string", "null"],
      format: "date-time",
      description: "When the follower last looked at the chain; null before it did",
    },
  }),
} as const;
