/**
 * JSON as CosmWasm contracts use it: a u64 is a number, even above 2^53, where `JSON.parse` would round. Here whole numbers
 * are `bigint` in both directions.
 */

/** Not in lib.es2023 yet, but in Node 22. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
interface LosslessJson {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): object;
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same object, with two newer members
const json = JSON as unknown as LosslessJson;

/**
 * Parses JSON; every whole number becomes a bigint, other numbers stay numbers.
 *
 * @throws SyntaxError when the text is not JSON.
 */
export function parseExact(text: string): unknown {
  return json.parse(text, (_, value, context) => {
    if (typeof value !== "number") return value;
    const source = context?.source ?? "";
    return /^-?\d{1,40}$/.test(source) ? BigInt(source) : value;
  });
}

/** Serializes a value, with every bigint as a number; undefined for a value without a JSON form. */
export function stringifyExact(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? json.rawJSON(part.toString()) : part));
}
