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

/** The schemas of the answers, JSON Schema 2020-12. Every field is always present; later versions may add others. */
export const openApiSchemas = {
  NftToken: {
    type: "object",
    properties: {
      collection_addr: hexAddress,
      collection_name: { type: "string", description: "Empty if the chain has none" },
      collection_origin_name: { type: "string", description: "Always empty" },
      object_addr: {
        type: "string",
        pattern: "^(?:0x[0-9a-f]+)?$",
        description: "The token's object on Move; empty elsewhere",
      },
      owner: bech32Address,
      nft: {
        type: "object",
        properties: {
          token_id: { type: "string", description: "Decimal on EVM, any text elsewhere; unique within the collection" },
          uri: { type: "string", description: "Location of the token's metadata; may be empty" },
        },
        required: ["token_id", "uri"],
      },
      height: { ...height, description: "Block of the token's last change" },
      timestamp,
    },
    required: [
      "collection_addr",
      "collection_name",
      "collection_origin_name",
      "object_addr",
      "owner",
      "nft",
      "height",
      "timestamp",
    ],
  },
  NftCollection: {
    type: "object",
    properties: {
      object_addr: { ...hexAddress, description: "The collection's address, on every VM" },
      collection: {
        type: "object",
        properties: {
          creator: bech32Address,
          name: { type: "string" },
          origin_name: { type: "string", description: "Always empty here" },
          nfts: {
            type: "object",
            properties: {
              handle: { type: "string", description: "Always empty here" },
              length: { type: "integer", minimum: 0, description: "Number of tokens in the collection" },
            },
            required: ["handle", "length"],
          },
        },
        required: ["creator", "name", "origin_name", "nfts"],
      },
      height: { ...height, description: "Block in which the collection was first seen" },
      timestamp,
    },
    required: ["object_addr", "collection", "height", "timestamp"],
  },
  NftTransaction: {
    type: "object",
    properties: {
      txhash: { type: "string", description: "In the chain's own spelling" },
      height,
      timestamp,
    },
    required: ["txhash", "height", "timestamp"],
  },
  Pagination: {
    type: "object",
    properties: {
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
    },
    required: ["previous_key", "next_key", "total"],
  },
  IndexerStatus: {
    type: "object",
    properties: {
      version: { type: "string" },
      commit_hash: { type: "string" },
      chain_id: { type: "string", description: "Empty before the chain is first read" },
      height: { ...height, description: "Newest indexed block" },
      left_out: {
        type: "integer",
        minimum: 0,
        description: "Number of items left out: tokens that no page could hold, and data that could not be read",
      },
    },
    required: ["version", "commit_hash", "chain_id", "height", "left_out"],
  },
} as const;
