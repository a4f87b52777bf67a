const hexAddress = {
  type: "string",
  pattern: "^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$",
  description: "0x hex of 20 bytes, or of 32 where the first 12 are not all zero",
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

/** The schemas of the answers, JSON Schema 2020-12. Every field is always there; others may come with later versions. */
export const openApiSchemas = {
  NftToken: {
    type: "object",
    properties: {
      collection_addr: hexAddress,
      collection_name: { type: "string", description: "Empty where the chain tells none" },
      collection_origin_name: { type: "string", description: "Always empty here" },
      object_addr: { type: "string", pattern: "^(?:0x[0-9a-f]+)?$", description: "The token's object; empty off Move" },
      owner: bech32Address,
      nft: {
        type: "object",
        properties: {
          token_id: { type: "string", description: "Decimal on EVM, any text elsewhere; unique within the collection" },
          uri: { type: "string", description: "Where the token's metadata are; may be empty" },
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
              length: { type: "integer", minimum: 0, description: "How many tokens the collection has" },
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
      previous_key: { ...key, description: "Key of the page before; null after a key that holds a row" },
      next_key: {
        ...key,
        description: "Key of the page after; null at the end. A full page has one, though the next may be empty",
      },
      total: {
        type: "string",
        pattern: "^[0-9]+$",
        description: "How many rows the whole listing has, exactly; 0 when counting is off",
      },
    },
    required: ["previous_key", "next_key", "total"],
  },
  IndexerStatus: {
    type: "object",
    properties: {
      version: { type: "string" },
      commit_hash: { type: "string" },
      chain_id: { type: "string", description: "Empty before the first look at the chain" },
      height: { ...height, description: "Newest block that is indexed" },
      left_out: {
        type: "integer",
        minimum: 0,
        description:
          "How many things of the chain were left out: tokens that no page could hold, and what could not be read",
      },
    },
    required: ["version", "commit_hash", "chain_id", "height", "left_out"],
  },
} as const;
