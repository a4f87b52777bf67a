import type { FromSchema, JSONSchema } from "json-schema-to-ts";
import { expectTypeOf } from "vitest";
import type { IndexerStatus, NftCollection, NftToken } from "@vipscore/indexer-client";
import type { openApiSchemas } from "./openApi.ts";

/** Only the documented fields, without "and any other", readonly or not. */
type Documented<T> = T extends object
  ? { -readonly [Name in keyof T as string extends Name ? never : Name]: Documented<T[Name]> }
  : T;

type Answer<Name extends keyof typeof openApiSchemas> = (typeof openApiSchemas)[Name] extends infer Schema extends
  JSONSchema
  ? Documented<FromSchema<Schema>>
  : never;

expectTypeOf<Answer<"NftToken">>().toEqualTypeOf<Documented<NftToken>>();
expectTypeOf<Answer<"NftCollection">>().toEqualTypeOf<Documented<NftCollection>>();
// This server's status has more fields.
expectTypeOf<Omit<Answer<"IndexerStatus">, "left_out" | "pending_uris" | "lag" | "seen_at">>().toEqualTypeOf<
  Documented<IndexerStatus>
>();
expectTypeOf<Answer<"IndexerStatus">["left_out"]>().toEqualTypeOf<number>();
