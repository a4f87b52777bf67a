/** RFC 3339 with up to six digits of a second (seen on a real indexer). */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isTime: Check = (value) => typeof value === "string" && time.test(value);
const isHeight: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isHex: Check = (value) => typeof value === "string" && /^0x[0-9a-f]+$/.test(value);
const isHexOrEmpty: Check = (value) => value === "" || isHex(value);
const isBech32: Check = (value) => typeof value === "string" && value.startsWith("init1");

const isToken = hasFields({
  collection_addr: isHex,
  collection_name: isText,
  collection_origin_name: isText,
  object_addr: isHexOrEmpty,
  owner: isBech32,
  nft: hasFields({ token_id: isText, uri: isText }),
  height: isHeight,
  timestamp: isTime,
});

const isCollection = hasFields({
  object_addr: isHex,
  collection: hasFields({
    creator: isBech32,
    name: isText,
    origin_name: isText,
    nfts: hasFields({ handle: isText, length: isHeight }),
  }),
  height: isHeight,
  timestamp: isTime,
});

/** The shape of each listing's rows, whatever their values. */
const rowChecks = { tokens: isToken, collections: isCollection, txs: hasFields({ txhash: isText }) };

/** Returns what is wrong with a page of which only the shape is known; undefined if nothing is. */
export function pageFault(body: unknown, field: keyof typeof rowChecks, limit = 1000n): string | undefined {
  if (!hasFields({ [field]: Array.isArray, pagination: isPagination })(body)) return "is not a page";
  const rows = (body as Record<string, readonly unknown[]>)[field] ?? [];
  if (BigInt(rows.length) > limit) return `has ${rows.length} rows, over the limit of ${limit}`;
  const bad = rows.find((row) => !rowChecks[field](row));
  return bad === undefined ? undefined : `has an invalid row: ${JSON.stringify(bad)}`;
}

/** Returns what is wrong with an answer of `/status`; undefined if nothing is. */
export function statusFault(body: unknown): string | undefined {
  const isStatus = hasFields({ version: isText, commit_hash: isText, chain_id: isText, height: isHeight });
  return isStatus(body) ? undefined : "lacks version, commit_hash, chain_id or height";
}

const isKey: Check = (value) =>
  value === null ||
  (typeof value === "string" && value !== "" && Buffer.from(value, "base64").toString("base64") === value);

const isPagination = hasFields({
  previous_key: isKey,
  next_key: isKey,
  total: (value) => typeof value === "string" && /^(?:-1|\d+)$/.test(value),
});

/** True if a value is an object with these fields; it may have more. */
function hasFields(checks: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (typeof value !== "object" || value === null) return false;
    return Object.entries(checks).every(([name, check]) => check((value as Record<string, unknown>)[name]));
  };
}
