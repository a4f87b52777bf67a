// The parts that the descriptions of NFTs and of scores share.

export const text = { type: "string" } as const;

const errorText = { "text/plain; charset=utf-8": { schema: text } } as const;

const badRequest = { description: "A parameter is invalid; the text says which", content: errorText } as const;

const unavailable = {
  description: "The database is down, or the index is too far behind; retry after the seconds in Retry-After",
  headers: { "retry-after": { schema: { type: "integer" } } },
  content: errorText,
} as const;

const serverError = { description: "Internal Server Error", content: errorText } as const;

export function inPath(name: string, schema: object, description?: string) {
  return { name, in: "path", required: true, schema, description };
}

export function inQuery(name: string, schema: object, description: string) {
  return { name, in: "query", schema, description };
}

export const account = inPath(
  "account",
  text,
  "Bech32 with the prefix init, or hex, with or without 0x and leading zeros; not percent-encoded",
);

const pagination = [
  inQuery(
    "pagination.key",
    { type: "string", contentEncoding: "base64" },
    "next_key or previous_key of another page of the listing; overrides an offset. Or base64 of the JSON of a row's position, after which the page begins: height and token_id of a token (also collection_addr if tokens of several collections are listed; or only height), height and collection_addr of a collection, score and account of an account in a stage. Then next_key has that form too",
  ),
  inQuery("pagination.offset", { type: "integer", minimum: 0, default: 0 }, "Number of rows to skip"),
  inQuery(
    "pagination.limit",
    { type: "integer", minimum: 1, maximum: 1000, default: 100 },
    "Maximum rows of the page; anything but an integer is ignored",
  ),
  inQuery(
    "pagination.count_total",
    { type: "boolean", default: true },
    "Whether to return the total; anything but a boolean is ignored",
  ),
  inQuery("pagination.reverse", { type: "boolean", default: true }, "Whether rows are in descending order"),
];

const failures = { "500": serverError, "503": unavailable } as const;

const errors = { "400": badRequest, ...failures } as const;

/** The errors of what may not be there. */
export function errorsOr404(description: string) {
  return { ...errors, "404": { description, content: errorText } };
}

export function ref(schema: string) {
  return { $ref: `#/components/schemas/${schema}` };
}

/** A request without parameters for the state of the server, which no client keeps. */
export function stateRoute(
  summary: string,
  description: string,
  type: string,
  schema: object,
  others: object = failures,
) {
  return { get: { summary, responses: { "200": { description, content: { [type]: { schema } } }, ...others } } };
}

/** A request whose answer a client may keep, and ask for again with `If-None-Match`. */
export function keptRoute(
  summary: string,
  parameters: readonly object[],
  [description, schema]: readonly [string, object],
  others: object = errors,
) {
  const headers = { etag: { schema: text, description: "Strong; it changes with the answer" } };
  const responses = {
    "200": { description, content: { "application/json": { schema } }, headers },
    "304": { description: "If-None-Match has the ETag", headers },
    ...others,
  };
  return { get: { summary, parameters, responses } };
}

export function listing(
  summary: string,
  field: string,
  schema: string,
  parameters: readonly object[],
  others: object = errors,
) {
  const page = objectSchema({
    [field]: { type: "array", maxItems: 1000, items: ref(schema) },
    pagination: ref("Pagination"),
  });
  return keptRoute(summary, [...parameters, ...pagination], ["A page", page], others);
}

export const hexAddress = {
  type: "string",
  pattern: "^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$",
  description: "0x hex of 20 bytes, or of 32 if the first 12 are not all zero",
} as const;

/** Describes an object that always has these fields; later versions may add others. */
export function objectSchema<const T extends Readonly<Record<string, unknown>>>(properties: T) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a literal
  return { type: "object", properties, required: Object.keys(properties) as (keyof T & string)[] } as const;
}

/** Describes a number of something. */
export function countSchema(description: string) {
  return { type: "integer", minimum: 0, description } as const;
}

/** Describes a text that may be missing. */
export function textOrNull(description: string) {
  return { type: ["string", "null"], description } as const;
}

export const height = countSchema("Height of a block");
