import { extname } from "node:path";
import { InputError, IssueLog, quoteText } from "../errors/inputError.ts";
import { CsvReader } from "./csvReader.ts";
import { decodeText, fileChunks } from "./decodeText.ts";
import { JsonSplitter, readJsonElement, readJsonLine, readJsonMap } from "./jsonReader.ts";
import { largestScale, longestRow, RowReader, type Line, type RowOptions } from "./rowReader.ts";
import { ScoreTable, TableBuilder } from "./scoreTable.ts";

/** Options for reading a score file. */
export interface ReadScoresOptions extends RowOptions {
  /**
   * Default: from the file's name (`.csv`, `.tsv`, `.txt`, `.json`, `.jsonl`, `.ndjson`), otherwise from the first
   * character that is not white space: `[` starts JSON, `{` JSON Lines, or JSON if its line ends there, anything else CSV.
   */
  readonly format?: ScoreFormat;
  /**
   * Called with a warning for people if the last line of a CSV file has no line end: the file may be cut off there, also in the
   * middle of a number.
   */
  readonly onUnended?: ((warning: string) => void) | undefined;
  /** Stops reading at the next chunk and throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Streams a score file from disk into a table:
 *
 * - CSV: `,` `;` or tab, detected from the first line; either a header with an address and a score column among any
 *   others, or exactly these two columns without a header; quotes as in RFC 4180; Excel's `sep=;`; at most 64 KiB per row.
 * - JSON: an array of `{ "address": …, "score": … }` or `[address, score]`, or one object of amounts by address; JSON Lines:
 *   one of these per line. Numbers are read from their text, so 18446744073709551615 stays exact.
 *
 * A header alone and an empty array are the empty table. A file without any text is refused: it may be the result of a
 * program that failed.
 *
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` with an issue for each rejected row, or for the whole file.
 * @example
 * const table = await readScores("scores.csv", { accountBytes: contract.accountBytes });
 */
export function readScores(file: string, options: ReadScoresOptions): Promise<ScoreTable> {
  return readScoresFrom(fileChunks(file, options.signal), file, options);
}

/**
 * Reads the bytes of a score file from any source; otherwise like {@link readScores}. `name` appears in messages, and its
 * extension sets the format.
 *
 * @throws InputError `INPUT_INVALID`; errors of `chunks`.
 * @example
 * const table = await readScoresFrom(process.stdin, "standard input", { accountBytes: [20], format: "csv" });
 */
export async function readScoresFrom(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  options: ReadScoresOptions,
): Promise<ScoreTable> {
  requireScale(options.scale);
  const issues = new IssueLog(name);
  const builder = new TableBuilder(issues);
  const rows = new RowReader(options, issues, builder);
  const knownFormat = options.format ?? formats[extname(name).toLowerCase()];
  let reader: TextReader | undefined;
  let held = "";
  for await (const text of decodeText(chunks, issues, options.signal)) {
    if (reader !== undefined) {
      reader.read(text);
      continue;
    }
    held += text;
    // White space alone does not determine a format; after too much of it, any format gives the same result.
    const format = knownFormat ?? formatOfText(held) ?? (held.length > longestRow ? "csv" : undefined);
    if (format === undefined) continue;
    reader = createTextReader(format, rows, issues, (row, line) => options.onUnended?.(unendedLine(name, line, row)));
    reader.read(held);
    held = "";
  }
  reader?.finish();
  if (rows.count === 0 && reader?.isTable() !== true) issues.fail("FILE_EMPTY", "has no scores in it");
  issues.throwIfAny();
  return new ScoreTable(...builder.finish(name));
}

function requireScale(scale: number | undefined): void {
  if (scale === undefined || (Number.isInteger(scale) && scale >= 0 && scale <= largestScale)) return;
  throw new InputError(`scale ${scale} is not an integer from 0 to ${largestScale}`);
}

/** Maximum number of characters of a JSON object that is read as a whole: some four million rows. */
const longestMap = 2 ** 28;

/** Reads the text of a file chunk by chunk and passes on its rows. */
interface TextReader {
  read(chunk: string): void;
  finish(): void;
  /** True if the text says that it is a table, even without rows: a header or an array. */
  isTable(): boolean;
}

function createTextReader(
  format: ScoreFormat,
  rows: RowReader,
  issues: IssueLog,
  onUnended: (row: number, line: string) => void,
): TextReader {
  if (format === "json") {
    const elements = new JsonSplitter(issues);
    /** The text of a file that is one object. */
    let map: string | undefined;
    return {
      read(chunk) {
        if (map === undefined && elements.isBefore && chunk.trimStart().startsWith("{")) map = "";
        if (map === undefined) {
          for (const element of elements.split(chunk)) readJsonElement(element, rows, issues);
        } else if ((map += chunk).length > longestMap) {
          issues.fail("FILE_MALFORMED", `is one object of more than ${longestMap} characters; write an array of rows`);
        }
      },
      finish: () => (map === undefined ? elements.finish() : readJsonMap(map, rows, issues)),
      isTable: () => elements.isWhole,
    };
  }
  const lines = new LineSplitter();
  const records = new CsvReader(rows, issues);
  const readLine = (line: Line): void => (format === "csv" ? records.read(line) : readJsonLine(line, rows));
  return {
    read(chunk) {
      for (const line of lines.split(chunk)) readLine(line);
    },
    finish() {
      for (const line of lines.finish()) {
        readLine(line);
        // A value of JSON shows its own end.
        if (format === "csv") onUnended(line.number, line.text ?? "");
      }
      records.finish();
    },
    isTable: () => records.hasHeader,
  };
}

/** The format of a score file. `csv` covers `,`, `;` and tab between columns. */
export type ScoreFormat = "csv" | "json" | "jsonl";

const formats: Readonly<Record<string, ScoreFormat>> = {
  ".csv": "csv",
  ".tsv": "csv",
  ".txt": "csv",
  ".json": "json",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
};

/** Returns the format for how a text starts; undefined if it does not show yet. */
function formatOfText(text: string): ScoreFormat | undefined {
  const [, first, gap = "", next] = /^\s*(\S)(\s*)(\S?)/.exec(text) ?? [];
  if (first === "[") return "json";
  if (first !== "{") return first === undefined ? undefined : "csv";
  if (gap.includes("\n")) return "json";
  return next === "" ? undefined : "jsonl";
}

/** Words the warning of a last line without its end, in any file of rows. */
export function unendedLine(file: string, line: string, row?: number): string {
  const place = row === undefined ? file : `${file}:${row}`;
  return `${place}  the last line ${quoteText(line)} has no line end: the file may be cut off there; if it is whole, end the line`;
}

/** Splits a text that arrives in chunks into lines; `\n` and `\r\n` end a line. */
class LineSplitter {
  #rest = "";
  #isTooLong = false;
  #number = 0;

  *split(chunk: string): Generator<Line, void, undefined> {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
      yield this.#take(chunk.slice(start, end));
      start = end + 1;
    }
    this.#append(chunk.slice(start));
  }

  /** Returns the last line, if the text does not end with a line ending. */
  *finish(): Generator<Line, void, undefined> {
    if (this.#rest !== "" || this.#isTooLong) yield this.#take("");
  }

  #append(text: string): void {
    if (!this.#isTooLong) this.#rest = this.#rest === "" ? text : this.#rest + text;
    if (this.#rest.length <= longestRow + 1) return;
    this.#isTooLong = true;
    this.#rest = "";
  }

  #take(text: string): Line {
    if (this.#rest !== "") text = this.#rest + text;
    if (text.endsWith("\r")) text = text.slice(0, -1);
    const isTooLong = this.#isTooLong || text.length > longestRow;
    this.#rest = "";
    this.#isTooLong = false;
    this.#number += 1;
    return { number: this.#number, text: isTooLong ? undefined : text };
  }
}
