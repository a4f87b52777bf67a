import { InputError } from "../errors/inputError.ts";
import { decodeText } from "./decodeText.ts";
import { fileChunks } from "./fileChunks.ts";
import { IssueLog } from "./issueLog.ts";
import { longestRow } from "./lineSplitter.ts";
import { largestScale } from "./readScore.ts";
import { RowReader, type RowOptions } from "./rowReader.ts";
import { formatOfName, formatOfText, type ScoreFormat } from "./scoreFormat.ts";
import { ScoreTable } from "./scoreTable.ts";
import { TableBuilder } from "./tableBuilder.ts";
import { createTextReader, type TextReader } from "./textReader.ts";

/** Options for reading a score file. */
export interface ReadScoresOptions extends RowOptions {
  /**
   * Default: from the file's name (`.csv`, `.tsv`, `.txt`, `.json`, `.jsonl`, `.ndjson`), otherwise from the first
   * character that is not white space: `[` starts JSON, `{` JSON Lines, anything else CSV.
   */
  readonly format?: ScoreFormat;
  /** Stops reading at the next chunk and throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Streams a score file from disk into a table:
 *
 * - CSV: `,` `;` or tab, detected from the first line; either a header with an address and a score column among any
 *   others, or exactly these two columns without a header; quotes as in RFC 4180; at most 64 KiB per row.
 * - JSON: an array of `{ "address": …, "score": … }` or `[address, score]`; JSON Lines: one of these per line.
 *   Numbers are read from their text, so 18446744073709551615 stays exact.
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
  const knownFormat = options.format ?? formatOfName(name);
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
    reader = createTextReader(format, rows, issues);
    reader.read(held);
    held = "";
  }
  reader?.finish();
  if (rows.count === 0 && reader?.isTable() !== true) issues.refuse("FILE_EMPTY", "has no scores in it");
  issues.throwIfAny();
  return new ScoreTable(...builder.finish());
}

function requireScale(scale: number | undefined): void {
  if (scale === undefined || (Number.isInteger(scale) && scale >= 0 && scale <= largestScale)) return;
  throw new InputError(`scale ${scale} is not an integer from 0 to ${largestScale}`);
}
