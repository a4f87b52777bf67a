import {
  account,
  countSchema,
  errorsOr404,
  height,
  hexAddress,
  inPath,
  inQuery,
  keptRoute,
  listing,
  objectSchema,
  ref,
  stateRoute,
  text,
} from "./openApiParts.ts";
import { scorePaths, scoreSchemas } from "./openApiScores.ts";

const base = "/indexer/nft/v1";

const collectionAddr = { ...account, name: "collection_addr" };

const tokenIdFilter = inQuery("token_id", text, "Only the token with this ID");

const orderBy = inQuery(
  "order_by",
  { type: "string", enum: ["token_id", "height", "token_number"], default: "token_id" },
  "token_id and height break each other's ties. Token IDs compare as text, by their UTF-8 bytes: 99 comes after 249. By token_number, of one collection only, IDs of decimal digits compare as numbers and come before all others, which compare as text",
);

/** The content type of texts for people. */
const plain = "text/plain; charset=utf-8";

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
    [inPath("name", text)],
  ),
  [`${base}/collections/{collection_addr}`]: keptRoute(
    "One collection",
    [collectionAddr],
    ["The collection", objectSchema({ collection: ref("NftCollection") })],
    errorsOr404("nft collection not found"),
  ),
  [`${base}/txs/{collection_addr}/{token_id}`]: listing(
    "Transactions that changed a token, in chain order, also of a burned token",
    "txs",
    "NftTransaction",
    [collectionAddr, inPath("token_id", text)],
  ),
  ...scorePaths,
  "/status": stateRoute(
    "The indexed chain and its newest indexed block",
    "The status",
    "application/json",
    ref("IndexerStatus"),
  ),
  "/healthz": stateRoute("Whether the process runs", "The text: ok", plain, text, {}),
  "/readyz": stateRoute(
    "Whether listings can be answered: the database answers, and the index is not too far behind the chain",
    "The text: ready",
    plain,
    text,
  ),
  "/metrics": stateRoute(
    "Metrics of the index and of this process",
    "Prometheus' text format",
    "text/plain; version=0.0.4; charset=utf-8",
    text,
  ),
  "/openapi.json": stateRoute("This description", "OpenAPI 3.1", "application/json", { type: "object" }, {}),
};

const bech32Address = {
  type: "string",
  pattern: "^init1(?:[02-9ac-hj-np-z]{38}|[02-9ac-hj-np-z]{58})$",
  description: "Bech32 with the prefix init, of 20 or 32 bytes",
} as const;

const timestamp = {
  type: "string",
  format: "date-time",
  description: "RFC 3339, with up to 6 fractional digits",
} as const;

const key = { type: ["string", "null"], contentEncoding: "base64" } as const;

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
        length: countSchema("Number of tokens in the collection"),
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
    left_out: countSchema("Number of items left out: tokens that no page could hold, and data that could not be read"),
    pending_uris: countSchema(
      "Number of tokens whose URI is not read yet: it is empty meanwhile, or the one before its change",
    ),
    lag: countSchema("Number of blocks that the chain had above height when the follower last looked"),
    seen_at: {
      type: ["string", "null"],
      format: "date-time",
      description: "When the follower last looked at the chain; null before it did",
    },
  }),
  ...scoreSchemas,
} as const;

/** The API's description, OpenAPI 3.1 with JSON Schema 2020-12; served at `/openapi.json`. */
export const openApi = {
  openapi: "3.1.0",
  jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
  info: {
    title: "Indexer of NFTs and scores",
    version: "1.0.0",
    description:
      "The NFTs of one rollup: tokens by owner and by collection, collections, the transactions of a token; and the scores of its scoring contract. Read-only, JSON, no authentication. Errors are plain text.",
    license: { name: "MIT", identifier: "MIT" },
  },
  paths: openApiPaths,
  components: { schemas: openApiSchemas },
} as const;
