import { readAccount, type AccountOptions } from "../account/readAccount.ts";
import { quoteText, type InputProblem, type IssueLog } from "../errors/inputError.ts";
import type { Hint } from "../errors/vipError.ts";
import { u64Max, type Score } from "../stage.ts";
import type { TableBuilder } from "./scoreTable.ts";

/** Options for reading the fields of a row. */
export interface RowOptions extends AccountOptions, ScoreOptions {}

/** Maximum characters of a line, a record or a JSON element. Longer ones are refused, to bound memory. */
export const longestRow = 65_536;

/** One line of a text, without its line ending. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Undefined if the line is longer than {@link longestRow}. */
  readonly text: string | undefined;
}

/** Reads the two fields of a row, in any file format, and adds the row to the table. */
export class RowReader {
  readonly #options: RowOptions;
  readonly #issues: IssueLog;
  readonly #builder: TableBuilder;
  /** Number of rows read, including rejected rows. */
  count = 0;

  constructor(options: RowOptions, issues: IssueLog, builder: TableBuilder) {
    this.#options = options;
    this.#issues = issues;
    this.#builder = builder;
  }

  /** Reads one row; checks both fields even if the first is wrong. `scoreName` is the file's name for the score. */
  read(row: number, address: string, score: string, scoreName: string): void {
    this.count += 1;
    const spelling = address.trim();
    const account = readAccount(spelling, this.#options);
    const parsed = readScore(score.trim(), scoreName, this.#options);
    if (typeof account !== "string") this.#issues.add(row, account.reason, account.message);
    if (typeof parsed !== "bigint") this.#issues.add(row, parsed.reason, parsed.message, parsed.hint);
    if (typeof account === "string" && typeof parsed === "bigint") this.#builder.add(account, parsed, row, spelling);
  }

  isAccount(field: string): boolean {
    return typeof readAccount(field.trim(), this.#options) === "string";
  }

  /** Logs a row that does not have the two fields. */
  reject(row: number, message: string): void {
    this.count += 1;
    this.#issues.add(row, "ROW_MALFORMED", message);
  }
}

/** Options for converting the text of a score into an integer. */
export interface ScoreOptions {
  /**
   * Multiply by 10^scale, exactly: 1 reads tenths, 2 hundredths; 0 to 18. The product must be an integer unless
   * `floor` is set. Without both, a decimal point is refused even before zeros: `1.000` is a thousand where
   * the point groups digits.
   */
  readonly scale?: number;
  /** Drop the fraction that remains after scaling. */
  readonly floor?: boolean;
}

/** The largest scale: a score of 1 then has 19 digits, the most that always fit into u64. */
export const largestScale = 18;

const unitNames = ["ones", "tenths", "hundredths", "thousandths"];

/**
 * Reads one score, decimal digits with an optional fraction, without surrounding white space. Leading zeros are accepted:
 * exports pad with them, and they do not change the value.
 *
 * `name` is the input's name for the field.
 */
export function readScore(text: string, name: string, options: ScoreOptions): Score | InputProblem {
  if (options.scale === undefined && text.length <= 19 && /^\d+$/.test(text)) return BigInt(text);
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const [, sign, whole, fraction] = parts ?? [];
  if (whole === undefined) {
    return { reason: "SCORE_INVALID", message: `${name} ${describeInvalid(text)}` };
  }
  if (sign === "-") {
    return {
      reason: "SCORE_NEGATIVE",
      message: `${name} ${quoteText(text)} is negative; scores go from 0 to ${u64Max}`,
    };
  }
  return scaleScore({ text, name, whole, fraction }, options);
}

function scaleScore(
  score: {
    readonly text: string;
    readonly name: string;
    readonly whole: string;
    readonly fraction: string | undefined;
  },
  options: ScoreOptions,
): Score | InputProblem {
  const { text, name, whole, fraction = "" } = score;
  const scale = options.scale ?? 0;
  const decimals = countDecimals(fraction);
  const mayDrop = options.floor === true;
  const isRefused = options.scale === undefined ? fraction !== "" : decimals > scale;
  if (isRefused && !mayDrop) return fractionProblem(text, name, decimals);
  const digits = (whole + fraction.slice(0, scale).padEnd(scale, "0")).replace(/^0+(?=\d)/, "");
  // The length is compared first: parsing a bigint takes time that grows with the square of its digits.
  if (digits.length > 20 || BigInt(digits) > u64Max) {
    const scaled = scale === 0 ? "" : ` times 10^${scale}`;
    const message = `${name} ${quoteText(text)}${scaled} is above ${u64Max}, the largest a contract can hold`;
    return { reason: "SCORE_TOO_LARGE", message };
  }
  return BigInt(digits);
}

/** Number of decimals without trailing zeros. */
function countDecimals(fraction: string): number {
  let count = fraction.length;
  while (count > 0 && fraction[count - 1] === "0") count -= 1;
  return count;
}

function fractionProblem(text: string, name: string, decimals: number): InputProblem {
  const unit = decimals === 0 ? undefined : (unitNames[decimals] ?? `units of 10^-${decimals}`);
  const hint: Hint =
    decimals > largestScale
      ? { code: "drop-fraction", text: "drop the fraction with floor" }
      : {
          code: "scale",
          scale: decimals,
          unit,
          text: `use a scale of ${decimals} ${unit === undefined ? "if the point starts a fraction" : `to count in ${unit}`}`,
        };
  const problem = decimals === 0 ? "has a decimal point" : "is not an integer";
  return { reason: "SCORE_FRACTION", message: `${name} ${quoteText(text)} ${problem}; ${hint.text}`, hint };
}

function describeInvalid(text: string): string {
  if (text === "") return "is empty; write 0 for no score";
  const value = quoteText(text);
  if (/^[-+]?\d+(?:\.\d+)?e[-+]?\d+$/i.test(text)) return `${value} is in scientific notation; write all its digits`;
  if (/^0x[0-9a-f]+$/i.test(text)) return `${value} is hexadecimal; write it in decimal`;
  if (/^\d[\d,_' \u00a0\u202f]*\d(?:\.\d+)?$/.test(text)) return `${value} has separators; write its digits only`;
  return `${value} is not a decimal number; write its digits only`;
}

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
