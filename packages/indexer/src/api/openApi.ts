import { openApiPaths } from "./openApiPaths.ts";
import { openApiSchemas } from "./openApiSchemas.ts";

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
