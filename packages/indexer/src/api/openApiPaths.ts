const base = "/indexer/nft/v1";

const text = { type: "string" } as const;

const errorText = { "text/plain; charset=utf-8": { schema: text } } as const;

const badRequest = { description: "A parameter cannot be used; the text says which", content: errorText } as const;

const unavailable = {
  description: "The database is away; ask again after the seconds in Retry-After",
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
  description: "Only the token with this id",
} as const;

const orderBy = {
  name: "order_by",
  in: "query",
  schema: { type: "string", enum: ["token_id", "height"], default: "token_id" },
  description: "Ties by the other. Token ids compare as text, by their UTF-8 bytes: 99 is more than 249",
} as const;

const pagination = [
  {
    name: "pagination.key",
    in: "query",
    schema: { type: "string", contentEncoding: "base64" },
    description:
      "next_key or previous_key of another page of the listing; beats an offset. Or base64 of the JSON of a row's place, after which the page begins: height and token_id of a token (collection_addr besides, where tokens of several collections are listed; or height alone), height and collection_addr of a collection. Then next_key is of that kind too",
  },
  {
    name: "pagination.offset",
    in: "query",
    schema: { type: "integer", minimum: 0, default: 0 },
    description: "How many rows to leave out at the start",
  },
  {
    name: "pagination.limit",
    in: "query",
    schema: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
    description: "Most rows of the page; what is no integer counts as absent",
  },
  {
    name: "pagination.count_total",
    in: "query",
    schema: { type: "boolean", default: true },
    description: "Whether total is told; what is no boolean counts as absent",
  },
  {
    name: "pagination.reverse",
    in: "query",
    schema: { type: "boolean", default: true },
    description: "Whether rows come in descending order",
  },
] as const;

/** The answer of a listing whose rows are in a field. */
function listing(summary: string, field: string, schema: string, parameters: readonly unknown[]) {
  return {
    get: {
      summary,
      parameters: [...parameters, ...pagination],
      responses: {
        "200": {
          description: "A page",
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  [field]: { type: "array", maxItems: 1000, items: { $ref: `#/components/schemas/${schema}` } },
                  pagination: { $ref: "#/components/schemas/Pagination" },
                },
                required: [field, "pagination"],
              },
            },
          },
        },
        "400": badRequest,
        "500": serverError,
        "503": unavailable,
      },
    },
  };
}

/** The operations by their path. */
export const openApiPaths = {
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
    "Collections of which an account owns a token, by height",
    "collections",
    "NftCollection",
    [account],
  ),
  [`${base}/collections/by_name/{name}`]: listing(
    "Collections with a text in their name, by letters, marks and digits alone, upper and lower case alike, by height",
    "collections",
    "NftCollection",
    [{ name: "name", in: "path", required: true, schema: text }],
  ),
  [`${base}/collections/{collection_addr}`]: {
    get: {
      summary: "One collection",
      parameters: [collectionAddr],
      responses: {
        "200": {
          description: "The collection",
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { collection: { $ref: "#/components/schemas/NftCollection" } },
                required: ["collection"],
              },
            },
          },
        },
        "400": badRequest,
        "404": { description: "nft collection not found", content: errorText },
        "500": serverError,
        "503": unavailable,
      },
    },
  },
  [`${base}/txs/{collection_addr}/{token_id}`]: listing(
    "Transactions that changed a token, in the order of the chain, also of a token that is no more",
    "txs",
    "NftTransaction",
    [collectionAddr, { name: "token_id", in: "path", required: true, schema: text }],
  ),
  "/status": {
    get: {
      summary: "Which chain is indexed, and how far",
      responses: {
        "200": {
          description: "The status",
          content: { "application/json": { schema: { $ref: "#/components/schemas/IndexerStatus" } } },
        },
        "500": serverError,
        "503": unavailable,
      },
    },
  },
  "/openapi.json": {
    get: {
      summary: "This description",
      responses: {
        "200": { description: "OpenAPI 3.1", content: { "application/json": { schema: { type: "object" } } } },
      },
    },
  },
};
