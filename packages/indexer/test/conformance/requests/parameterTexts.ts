import { base64 } from "./generatedRequest.ts";

/** Texts for `pagination.limit`. */
export const limits: readonly string[] = [
  ["1", "2", "7", "99", "100", "101", "999", "1000"],
  ["0", "-1", "1001", "2147483648", "-9223372036854775808", "9223372036854775807"],
  ["", "abc", "2e1", "1e2", "10.0", "0x10", "1_0", "٣", "null", "true", " "],
  ["99999999999999999999", "+5", "007", "-0"],
].flat();

/** Texts for `pagination.offset`. */
export const offsets: readonly string[] = [
  ["0", "1", "2", "3", "50", "99", "100", "101", "250", "1000", "123456789012"],
  ["", "abc", "1.5", "1e1", "0x1", "-1", "-100", "99999999999999999999", "+2", "01"],
].flat();

/** Texts for `pagination.count_total` and `pagination.reverse`. */
export const booleans: readonly string[] = [
  ["true", "false", "", "no", "yes", "2", "null", "off", "tRuE", "fAlSe"],
  ["1", "0", "t", "f", "T", "F", "TRUE", "FALSE", "True", "False"],
].flat();

/** Texts for `order_by`. */
export const orders: readonly string[] = [
  ["token_id", "height", ""],
  ["foo", "id", "token_id,height", "height;", "owner", "HEIGHT", " token_id ", "Token_Id", "tokenid", "'"],
].flat();

/** Keys that hold something like an integer. */
export const integerKeys: readonly string[] = [
  ["0", "1", "9", "10", "99", "100", "101", "250", "1000", "123456789012"],
  ["-1", "+1", "01", "1.5", "1e3", "0x1", "abc", "hello", "99999999999999999999", "1 ", "null", "[1]", '"1"'],
]
  .flat()
  .map(base64);

/** Keys that are not base64, or hold no row. */
export const brokenKeys: readonly string[] = [
  ["!!", "MQ", "MQ=", "MTA", "M", "MQ===", "====", "=", "MT A=", "MTA=x", "_-8=", "MTAwé", "%4D"],
  ['{"height":1}', '{"token_id":"1"}', "{}", '{"height":"1","token_id":"1"}', '{"height":1,"token_id":1}'].map(base64),
  ['{"height":null,"token_id":null}', '{"height":1.5,"token_id":"1"}', '{"sequence":1}', '{"height":1,"token_id":'].map(
    base64,
  ),
  ["{", "{]", '[{"height":1,"token_id":"1"}]', '  {"height":1,"token_id":"1"}', '{"height":-1,"token_id":[]}'].map(
    base64,
  ),
  ['{"height":1e400,"token_id":"1"}', '{"__proto__":1,"height":1,"token_id":{}}'].map(base64),
  ['{"height":9,"token_id":"\\u0000"}', '{"height":9,"token_id":"\\ud800"}'].map(base64),
  [base64(`{"height":1,"token_id":"${"9".repeat(3000)}"}`)],
].flat();

/** Token ids that no collection has, or that are hard to encode. */
export const oddTokenIds: readonly string[] = [
  [
    "0",
    "-1",
    "00",
    "1 ",
    " 1",
    "+1",
    "1+1",
    "%31",
    "1%00",
    "\u0000",
    "a\u0000b",
    "é",
    "é",
    "💎",
    "\u2028",
    "'",
    '"',
    "\\",
  ],
  ["' OR '1'='1", "1;--", "%", "_", "*", "NULL", "2e1", "<b>&amp;</b>", "a/b", "..", "9".repeat(78), "x".repeat(600)],
].flat();

/** Paths that are not a route, and one that is longer than a server reads. */
export const unknownPaths: readonly string[] = [
  "/",
  "/indexer",
  "/indexer/nft/v1",
  "/indexer/nft/v1/nope",
  "/indexer/nft/v1/tokens",
  "/indexer/nft/v1/tokens/nope",
  "/indexer/nft/v1/tokens/by_account",
  "/indexer/nft/v1/tokens/by_collection",
  "/indexer/nft/v1/tokens/by_owner/0xaa",
  "/indexer/nft/v1/tokens/by_account/0xaa/1",
  "/indexer/nft/v1/txs/0xaa",
  "/indexer/nft/v2/tokens/by_account/0xaa",
  "/indexer/nft/v1/collections/by_account/0xaa/1",
  "/indexer/nft/v1/collections/0xaa/1",
  "/indexer/nft/tokens/by_account/0xaa",
];
