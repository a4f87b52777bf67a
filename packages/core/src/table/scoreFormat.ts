import { extname } from "node:path";

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

/** Returns the format for the extension of a file's name, or undefined. */
export function formatOfName(file: string): ScoreFormat | undefined {
  return formats[extname(file).toLowerCase()];
}

/** Returns the format for the first character of a text that is not white space; undefined if it has none. */
export function formatOfText(text: string): ScoreFormat | undefined {
  const first = text.trimStart().charAt(0);
  if (first === "") return undefined;
  if (first === "[") return "json";
  return first === "{" ? "jsonl" : "csv";
}
