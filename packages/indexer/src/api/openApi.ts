const base = "/indexer/nft/v1";

const text = { type: "string" } as const;

const errorText = { "text/plain; charset=utf-8": { schema: text } } as const;

const badRequest = { description: "A parameter is invalid; the text says which", content: errorText } as const;

const unavailable = {
  description: "The database is down, or the index is too far behind; retry after the seconds in Retry-After",
  headers: { "retry-after": { schema: { type: "integer" } } },
  content: errorText,
} as const;

const serverError = { description: "Internal Server Error", content: errorText } as const;

const addressSpellings =
  "Bech32 with the prefix init, or hex, with or without 0x and leading zeros; not percent-encoded";

const account = { name: "account", in: "path", required: true, schema: text, description: addressSpellings } as const;

const collectionAddr = { ...account, name: "collection_addr" } as const;

const tokenIdFilter = {
  name: "token_id",
  in: "query",
  schema: text,
  description: "Only the token with this ID",
} as const;

const orderBy = {
  name: "order_by",
  in: "query",
  schema: { type: "string", enum: ["token_id", "height", "token_number"], default: "token_id" },
  description:
    "token_id and height break each other's ties. Token IDs compare as text, by their UTF-8 bytes: 99 comes after 249. By token_number, of one collection only, IDs of decimal digits compare as numbers and come before all others, which compare as text",
} as const;

const pagination = [
  {
    name: "pagination.key",
    in: "query",
    schema: { type: "string", contentEncoding: "base64" },
    description:
      "next_key or previous_key of another page of the listing; overrides an offset. Or base64 of the JSON of a row's position, after which the page begins: height and token_id of a token (also collection_addr if tokens of several collections are listed; or only height), height and collection_addr of a collection. Then next_key has that form too",
  },
  {
    name: "pagination.offset",
    in: "query",
    schema: { type: "integer", minimum: 0, default: 0 },
    description: "Number of rows to skip",
  },
  {
    name: "pagination.limit",
    in: "query",
    schema: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
    description: "Maximum rows of the page; anything but an integer is ignored",
  },
  {
    name: "pagination.count_total",
    in: "query",
    schema: { type: "boolean", default: true },
    description: "Whether to return the total; anything but a boolean is ignored",
  },
  {
    name: "pagination.reverse",
    in: "query",
    schema: { type: "boolean", default: true },
    description: "Whether rows are in descending order",
  },
] as const;

const errors = { "400": badRequest, "500": serverError, "503": unavailable } as const;

function ref(schema: string) {
  return { $ref: `#/components/schemas/${schema}` };
}

function answers(description: string, schema: object, others: object) {
  return { "200": { description, content: { "application/json": { schema } } }, ...others };
}

/** The answers of a listing, which a client may keep and ask for again with `If-None-Match`. */
function keptAnswers(description: string, schema: object, others: object) {
  const headers = { etag: { schema: text, description: "Strong; it changes with the answer" } };
  const { "200": ok } = answers(description, schema, {});
  return { "200": { ...ok, headers }, "304": { description: "If-None-Match has the ETag", headers }, ...others };
}

function plain(description: string, others: object) {
  return { "200": { description, content: errorText }, ...others };
}

function listing(summary: string, field: string, schema: string, parameters: readonly unknown[]) {
  const page = objectSchema({
    [field]: { type: "array", maxItems: 1000, items: ref(schema) },
    pagination: ref("Pagination"),
  });
  return {
    get: { summary, parameters: [...parameters, ...pagination], responses: keptAnswers("A page", page, errors) },
  };
}

const openApiPaths = {
  [`${base}/tokens/by_account/{account}`]: listing("Tokens that an account owns", "tokens", "NftToken", [
    account,
    { ...collectionAddr, in: "query", required: false, description: "Only tokens of this collection" },
    tokenIdFilter,
    orderBy,
  ]),
  [`${base}/tokens/by_collection/{collection_addr}`]: listing("Tokens of a collection", "tokens", "NftToken", [
    collectionAddr,
    tokenIdFilter,
    orderBy,
  ]),
  [`${base}/collections`]: listing("All collections, by height", "collections", "NftCollection", []),
  [`${base}/collections/by_account/{account}`]: listing(
    "Collections in which an account owns a token, by height",
    "collections",
    "NftCollection",
    [account],
  ),
  [`${base}/collections/by_name/{name}`]: listing(
    "Collections whose name contains a text, comparing only letters, marks and digits and ignoring case, by height",
    "collections",
    "NftCollection",
    [{ name: "name", in: "path", required: true, schema: text }],
  ),
  [`${base}/collections/{collection_addr}`]: {
    get: {
      summary: "One collection",
      parameters: [collectionAddr],
      responses: keptAnswers("The collection", objectSchema({ collection: ref("NftCollection") }), {
        ...errors,
        "404": { description: "nft collection not found", content: errorText },
      }),
    },
  },
  [`${base}/txs/{collection_addr}/{token_id}`]: listing(
    "Transactions that changed a token, in chain order, also of a burned token",
    "txs",
    "NftTransaction",
    [collectionAddr, { name: "token_id", in: "path", required: true, schema: text }],
  ),
  "/status": {
    get: {
      summary: "The indexed chain and its newest indexed block",
      responses: answers("The status", ref("IndexerStatus"), { "500": serverError, "503": unavailable }),
    },
  },
  "/healthz": {
    get: { summary: "Whether the process runs", responses: plain("The text: ok", {}) },
  },
  "/readyz": {
    get: {
      summary: "Whether listings can be answered: the database answers, and the index is not too far behind the chain",
      responses: plain("The text: ready", { "500": serverError, "503": unavailable }),
    },
  },
  "/metrics": {
    get: {
      summary: "Metrics of the index and of this process",
      responses: {
        "200": {
          description: "Prometheus' text format",
          content: { "text/plain; version=0.0.4; charset=utf-8": { schema: text } },
        },
        "500": serverError,
        "503": unavailable,
      },
    },
  },
  "/openapi.json": {
    get: { summary: "This description", responses: answers("OpenAPI 3.1", { type: "object" }, {}) },
  },
};

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
function objectSchema<const T extends Readonly<Record<string, unknown>>>(properties: T) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a literal
  return { type: "object", properties, required: Object.keys(properties) as (keyof T & string)[] } as const;
}

/** The schemas of the answers, JSON Schema 2020-12. */
export const openApiSchemas = {
  NftToken: objectSchema({
    collection_addr: hexAddress,
    collection_name: { type: "string", description: "Empty if the chain has none" },
    collection_origin_name: { type: "string", description: "Name before a transfer over IBC; empty on EVM" },
    object_addr: {
      type: "string",
      pattern: "^(?:0x[0-9a-f]+)?$",
      description: "The token's object on Move; empty elsewhere",
    },
    owner: bech32Address,
    nft: objectSchema({
      token_id: { type: "string", description: "Decimal on EVM, any text elsewhere; unique within the collection" },
      uri: { type: "string", description: "Location of the token's metadata; may be empty" },
    }),
    height: { ...height, description: "Block of the token's last change" },
    timestamp,
  }),
  NftCollection: objectSchema({
    object_addr: { ...hexAddress, description: "The collection's address, on every VM" },
    collection: objectSchema({
      creator: bech32Address,
      name: { type: "string" },
      origin_name: { type: "string", description: "Name before a transfer over IBC; empty on EVM" },
      nfts: objectSchema({
        handle: { type: "string", description: "Always empty here" },
        length: { type: "integer", minimum: 0, description: "Number of tokens in the collection" },
      }),
    }),
    height: { ...height, description: "Block in which the collection was first seen" },
    timestamp,
  }),
  NftTransaction: objectSchema({
    txhash: { type: "string", description: "In the chain's own spelling" },
    height,
    timestamp,
  }),
  Pagination: objectSchema({
    previous_key: { ...key, description: "Key of the previous page; null after a key that holds a row" },
    next_key: {
      ...key,
      description: "Key of the next page; null at the end",
    },
    total: {
      type: "string",
      pattern: "^[0-9]+$",
      description: "Exact number of rows in the whole listing; 0 if counting is off",
    },
  }),
  IndexerStatus: objectSchema({
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

/** The API's description, OpenAPI 3.1 with JSON Schema 2020-12; served at `/openapi.json`. */
export const openApi = {
  openapi: "3.1.0",
  jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
  info: {
    title: "NFT indexer",
    version: "1.0.0",
    description:
      "The NFTs of one rollup: tokens by owner and by collection, collections, the transactions of a token. Read-only, JSON, no authentication. Errors are plain text.",
    license: { name: "MIT", identifier: "MIT" },
  },
  paths: openApiPaths,
  components: { schemas: openApiSchemas },
} as const;
