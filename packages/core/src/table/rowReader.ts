import { readAccount, type AccountOptions } from "../account/readAccount.ts";
import { quoteText, type InputProblem, type IssueLog } from "../errors/inputError.ts";
import type { Hint } from "../errors/vipError.ts";
import { u64Max, type Score } from "../stage.ts";
import type { TableBuilder } from "./scoreTable.ts";

/** Options for reading the fields of a row. */
export interface RowOptions extends AccountOptions, ScoreOptions {
  /** The file's own names of its columns, or of the keys of its objects. Default: known names, such as `wallet` and `points`. */
  readonly columns?: ColumnNames | undefined;
}

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

  findFields(names: readonly string[]): FieldPositions | string {
    return findFields(names, this.#options.columns);
  }

  /** True if the caller names a column, so that the file has a header. */
  get hasNames(): boolean {
    return this.#options.columns !== undefined;
  }

  isAccount(field: string): boolean {
    return typeof readAccount(field.trim(), this.#options) === "string";
  }

  /** Logs a row that does not have the two fields. */
  reject(row: number, message: string, hint?: Hint): void {
    this.count += 1;
    this.#issues.add(row, "ROW_MALFORMED", message, hint);
  }

  /** Says what is wrong with digits that have marks between them; undefined for any other text. */
  describeMarks(text: string): WrongNumber | undefined {
    const marks = readMarks(text);
    return marks && wrongNumber(marks, this.#options);
  }
}

/** Options for converting the text of a score into an integer. */
export interface ScoreOptions {
  /**
   * Multiply by 10^scale, exactly: 1 reads tenths, 2 hundredths; 0 to 18. The product must be an integer unless
   * `floor` is set. Without both, a decimal point is refused even before zeros. `1.000` is always refused: it is a thousand
   * where the point groups digits; write `1.0000`. A JSON number has no such groups.
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
 */
export function readScore(text: string, name: string, options: ScoreOptions): Score | InputProblem {
  if (options.scale === undefined && text.length <= 19 && /^\d+$/.test(text)) return BigInt(text);
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const [, sign, whole, fraction] = parts ?? [];
  if (whole === undefined) {
    return invalidScore(text, { name, reason: "SCORE_INVALID" }, options);
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
  // A scale says what is counted, not whether the point of 1.200 starts a fraction or separates thousands.
  if (maybeThousands.test(text)) return invalidScore(text, { name, reason: "SCORE_FRACTION" }, options);
  const isRefused = options.scale === undefined ? fraction !== "" : decimals > scale;
  if (isRefused && options.floor !== true) return fractionProblem(text, name, decimals);
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
  const hint = scaleHint(decimals);
  const problem = decimals === 0 ? "has a decimal point" : "is not an integer";
  return { reason: "SCORE_FRACTION", message: `${name} ${quoteText(text)} ${problem}; ${hint.text}`, hint };
}

function scaleHint(decimals: number): Hint {
  if (decimals > largestScale) return { code: "drop-fraction", text: "drop the fraction with floor" };
  const unit = decimals === 0 ? undefined : (unitNames[decimals] ?? `units of 10^-${decimals}`);
  const why = unit === undefined ? "if the point starts a fraction" : `to count in ${unit}`;
  return { code: "scale", scale: decimals, unit, text: `use a scale of ${decimals} ${why}` };
}

/** A number whose one mark may separate thousands or start a fraction. */
const maybeThousands = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** Says why a text is not a decimal integer. What it advises to write never changes the amount. */
export function describeInvalid(text: string): string {
  if (text === "") return "is empty; write 0 for none";
  const value = quoteText(text);
  if (/^[-+]?\d+(?:\.\d+)?e[-+]?\d+$/i.test(text)) return `${value} is in scientific notation; write all its digits`;
  if (/^0x[0-9a-f]+$/i.test(text)) return `${value} is hexadecimal; write it in decimal`;
  if (/^\d+\.\d+$/.test(text) && !maybeThousands.test(text)) return `${value} has a fraction; an integer is needed`;
  const marks = readMarks(text);
  return `${value} ${marks === undefined ? "is not a decimal number such as 1200" : adviceOn(marks)}`;
}

/** Describes as {@link describeInvalid} does; if the amount has a fraction, also says how to read it. */
function invalidScore(
  text: string,
  { name, reason }: Pick<InputProblem, "reason"> & { readonly name: string },
  options: ScoreOptions,
): InputProblem {
  const marks = readMarks(text);
  if (marks === undefined) return { reason, message: `${name} ${describeInvalid(text)}` };
  const { message, ...hint } = wrongNumber(marks, options);
  return { reason, message: `${name} ${quoteText(text)} ${message}`, ...hint };
}

/** Digits with marks between them, as other countries and programs write numbers. */
interface Marks {
  readonly problem: string;
  /** The amount if the marks only separate groups. */
  readonly integer?: string;
  /** The amount if the last mark starts a fraction. */
  readonly decimal?: string;
}

/** What is wrong with a number, and how to write it. */
export type WrongNumber = Pick<InputProblem, "message" | "hint">;

function adviceOn({ problem, integer, decimal }: Marks): string {
  return `${problem}; write ${[integer, decimal].filter((text) => text !== undefined).join(", or ")}`;
}

function wrongNumber(marks: Marks, options: ScoreOptions): WrongNumber {
  const { decimal = "" } = marks;
  const message = adviceOn(marks);
  const problem = decimal === "" ? undefined : readScore(decimal, "", options);
  if (typeof problem !== "object" || problem.reason !== "SCORE_FRACTION") return { message };
  const [, fraction = ""] = decimal.split(".");
  // Where a point may separate thousands as well, a zero was added to the three digits.
  const hint = scaleHint(fraction.length - (marks.integer === undefined ? 0 : 1));
  return { message: `${message} and ${hint.text}`, hint };
}

/** Digits in groups, with the same mark between any two of them: 1,234,567 or 12,34,567 or 1'234. */
const grouped = /^[1-9]\d{0,2}(?:([.,_'\u2019 \u00a0\u202f])(?:\d{2,3}\1)*\d{3})?$/;

/** Reads digits with marks between them; undefined for any other text. */
function readMarks(text: string): Marks | undefined {
  const digits = text.replace(/\D/g, "");
  if (maybeThousands.test(text)) {
    const mark = text.includes(",") ? "comma" : "point";
    const decimal = `${text.replace(",", ".")}0`;
    return { problem: `has a ${mark} that separates thousands or starts a fraction`, integer: digits, decimal };
  }
  const mark = grouped.exec(text)?.[1];
  if (mark !== undefined) return { problem: "has thousands separators", integer: digits };
  const [, whole = "", point, fraction = ""] = /^(.*\d)([.,])(\d+)$/.exec(text) ?? [];
  const isWhole = /^\d+$/.test(whole) || (grouped.test(whole) && !whole.includes(point ?? ""));
  if (point === undefined || !isWhole) return undefined;
  const problem = point === "," ? "has a decimal comma" : "has thousands separators";
  return { problem, decimal: `${whole.replace(/\D/g, "")}.${fraction}` };
}

/** Names of the column with the accounts, with letters and digits alone, in lower case. */
export const addressNames = [
  "address",
  "account",
  "addr",
  "wallet",
  "walletaddress",
  "accountaddress",
  "useraddress",
  "holder",
  "holderaddress",
  "owneraddress",
  "receiver",
  "receiveraddress",
  "recipient",
  "recipientaddress",
];
const scoreNames = ["score", "scores", "amount", "points"];

/** The file's own names of the two fields, if they are not among the known ones. */
export interface ColumnNames {
  readonly address?: string;
  readonly score?: string;
}

/** The positions of the two fields among the names of a header or an object. */
export interface FieldPositions {
  readonly address: number;
  readonly score: number;
  /** The input's name for the score. */
  readonly scoreName: string;
}

export function isFieldName(name: string): boolean {
  const known = normalName(name);
  return addressNames.includes(known) || scoreNames.includes(known);
}

/** Finds the address and the score by their names; returns a text that says why if it cannot. */
function findFields(names: readonly string[], columns: ColumnNames = {}): FieldPositions | string {
  const address = findColumn(names, columns.address ?? addressNames);
  if (typeof address === "string") return address;
  const score = findColumn(names, columns.score ?? scoreNames);
  if (typeof score === "string") return score;
  return { address, score, scoreName: normalName(names[score] ?? "") };
}

/** Finds the one column with a name, in any spelling that has the same letters and digits; returns a text that says why if it cannot. */
export function findColumn(names: readonly string[], wanted: string | readonly string[]): number | string {
  const known = typeof wanted === "string" ? [normalName(wanted)] : wanted;
  const found = names.flatMap((name, position) => (known.includes(normalName(name)) ? [position] : []));
  const [first, second] = found;
  if (first === undefined) {
    const given = names.length === 0 ? "no names at all" : names.map(quoteText).join(", ").slice(0, 200);
    const needed =
      typeof wanted === "string"
        ? `the name ${quoteText(wanted)}`
        : `one of the names ${known.slice(0, 4).join(", ")}${known.length > 4 ? ", …" : ""}`;
    return `it needs ${needed} and has ${given}`;
  }
  if (second !== undefined)
    return `both ${quoteText(names[first] ?? "")} and ${quoteText(names[second] ?? "")} are given`;
  return first;
}

/** `Wallet Address`, `wallet_address` and `WalletAddress` are the same name. */
function normalName(name: string): string {
  // Most names need no change, and a JSON file has some in each row.
  return /^[a-z]+$/.test(name) ? name : name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
