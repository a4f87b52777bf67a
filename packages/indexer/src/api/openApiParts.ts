// The parts that the descriptions of NFTs and of scores share.

export const text = { type: "string" } as const;

export const errorText = { "text/plain; charset=utf-8": { schema: text } } as const;

const badRequest = { description: "A parameter is invalid; the text says which", content: errorText } as const;

export const unavailable = {
  description: "The database is down, or the index is too far behind; retry after the seconds in Retry-After",
  headers: { "retry-after": { schema: { type: "integer" } } },
  content: errorText,
} as const;

export const serverError = { description: "Internal Server Error", content: errorText } as const;

const addressSpellings =
  "Bech32 with the prefix init, or hex, with or without 0x and leading zeros; not percent-encoded";

export const account = {
  name: "account",
  in: "path",
  required: true,
  schema: text,
  description: addressSpellings,
} as const;

export const pagination = [
  {
    name: "pagination.key",
    in: "query",
    schema: { type: "string", contentEncoding: "base64" },
    description:
      "next_key or previous_key of another page of the listing; overrides an offset. Or base64 of the JSON of a row's position, after which the page begins: height and token_id of a token (also collection_addr if tokens of several collections are listed; or only height), height and collection_addr of a collection, score and account of an account in a stage. Then next_key has that form too",
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

export const errors = { "400": badRequest, "500": serverError, "503": unavailable } as const;

export function ref(schema: string) {
  return { $ref: `#/components/schemas/${schema}` };
}

export function answers(description: string, schema: object, others: object) {
  return { "200": { description, content: { "application/json": { schema } } }, ...others };
}

/** The answers of a listing, which a client may keep and ask for again with `If-None-Match`. */
export function keptAnswers(description: string, schema: object, others: object) {
  const headers = { etag: { schema: text, description: "Strong; it changes with the answer" } };
  const { "200": ok } = answers(description, schema, {});
  return { "200": { ...ok, headers }, "304": { description: "If-None-Match has the ETag", headers }, ...others };
}

export function plain(description: string, others: object) {
  return { "200": { description, content: errorText }, ...others };
}

export function listing(summary: string, field: string, schema: string, parameters: readonly unknown[]) {
  const page = objectSchema({
    [field]: { type: "array", maxItems: 1000, items: ref(schema) },
    pagination: ref("Pagination"),
  });
  return {
    get: { summary, parameters: [...parameters, ...pagination], responses: keptAnswers("A page", page, errors) },
  };
}

export const hexAddress = {
  type: "string",
  pattern: "^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$",
  description: "0x hex of 20 bytes, or of 32 if the first 12 are not all zero",
} as const;

export const height = { type: "integer", minimum: 0, description: "Height of a block" } as const;

/** Describes an object that always has these fields; later versions may add others. */
export function objectSchema<const T extends Readonly<Record<string, unknown>>>(properties: T) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a literal
  return { type: "object", properties, required: Object.keys(properties) as (keyof T & string)[] } as const;
}
