import { quoteText } from "../errors/quoteText.ts";

const addressNames = ["address", "account", "addr", "wallet"];
const scoreNames = ["score", "scores", "amount", "points"];

/** The positions of the two fields among the names of a header or an object. */
export interface FieldPositions {
  readonly address: number;
  readonly score: number;
  /** The input's name for the score. */
  readonly scoreName: string;
}

/** True for a name that a header or an object may use for one of the two fields. */
export function isFieldName(name: string): boolean {
  const known = normalName(name);
  return addressNames.includes(known) || scoreNames.includes(known);
}

/** Finds the address and the score by their names, in any case; returns a text that says why if it cannot. */
export function findFields(names: readonly string[]): FieldPositions | string {
  const normal = names.map(normalName);
  const address = findOne(normal, addressNames);
  if (typeof address === "string") return address;
  const score = findOne(normal, scoreNames);
  if (typeof score === "string") return score;
  return { address, score, scoreName: normal[score] ?? "score" };
}

function findOne(names: readonly string[], wanted: readonly string[]): number | string {
  const found = names.flatMap((name, position) => (wanted.includes(name) ? [position] : []));
  const [first, second] = found;
  if (first === undefined) {
    const given = names.length === 0 ? "no names at all" : names.map(quoteText).join(", ").slice(0, 200);
    return `it needs one of the names ${wanted.join(", ")} and has ${given}`;
  }
  if (second !== undefined)
    return `both ${quoteText(names[first] ?? "")} and ${quoteText(names[second] ?? "")} are given`;
  return first;
}

function normalName(name: string): string {
  return name.trim().toLowerCase();
}
