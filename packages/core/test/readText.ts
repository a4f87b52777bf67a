import { InputError } from "../src/errors/inputError.ts";
import { readScoresFrom, type ReadScoresOptions } from "../src/table/readScores.ts";
import type { ScoreTable } from "../src/table/scoreTable.ts";

const defaults: ReadScoresOptions = { accountBytes: [20] };

/** Reads a text or bytes as if they were the file `name`, arriving in chunks of the given length. */
export function readText(
  content: string | Uint8Array,
  options: Partial<ReadScoresOptions> = {},
  { name = "scores", chunkLength = 1 << 16 }: { readonly name?: string; readonly chunkLength?: number } = {},
): Promise<ScoreTable> {
  return readScoresFrom(chunksOf(Buffer.from(content), chunkLength), name, { ...defaults, ...options });
}

/** The reasons for refusing the content: `row reason` for each issue, `- reason` for the whole file. */
export async function refusals(
  content: string | Uint8Array,
  options: Partial<ReadScoresOptions> = {},
): Promise<readonly string[]> {
  const error = await refusal(content, options);
  return error.issues.map(({ row, reason }) => `${row ?? "-"} ${reason}`);
}

/** The error with which reading the content is refused. */
export async function refusal(
  content: string | Uint8Array,
  options: Partial<ReadScoresOptions> = {},
): Promise<InputError> {
  try {
    await readText(content, options);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error("the content was accepted");
}

async function* chunksOf(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}
