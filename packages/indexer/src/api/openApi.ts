import { object, openApiSchemas } from "./openApiSchemas.ts";

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
  schema: { type: "string", enum: ["token_id", "height"], default: "token_id" },
  description: "The other breaks ties. Token IDs compare as text, by their UTF-8 bytes: 99 comes after 249",
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

function plain(description: string, others: object) {
  return { "200": { description, content: errorText }, ...others };
}

/** The operation of a listing whose rows are in a field. */
function listing(summary: string, field: string, schema: string, parameters: readonly unknown[]) {
  const page = object({
    [field]: { type: "array", maxItems: 1000, items: ref(schema) },
    pagination: ref("Pagination"),
  });
  return {
    get: { summary, parameters: [...parameters, ...pagination], responses: answers("A page", page, errors) },
  };
}

/** The operations by path. */
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
      responses: answers("The collection", object({ collection: ref("NftCollection") }), {
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
