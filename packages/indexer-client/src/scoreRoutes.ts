import { checkAnswer, type Check, type Shape } from "./checkAnswer.ts";
import { IndexerBadAnswerError, IndexerNotFoundError } from "./http/indexerErrors.ts";
import type { Indexer } from "./openIndexer.ts";

/** Options of a read. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A u64 in decimal. */
export const u64: Check = (value) => typeof value === "string" && /^\d{1,20}$/.test(value);
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

/** Reads an answer about scores, and checks its shape. @throws IndexerRequestError; the signal's reason when aborted. */
export async function readScores<T>(
  indexer: Indexer,
  path: string,
  options: ReadOptions = {},
  shape: Shape<T>,
): Promise<T> {
  try {
    return checkAnswer(await indexer.get(path, options), shape, indexer.endpoint + path);
  } catch (error) {
    // The main entry knows the NFT routes alone.
    const missing = error instanceof IndexerBadAnswerError && error.status === 404 && missingTexts.get(error.details);
    throw missing ? new IndexerNotFoundError(missing, { url: error.url, status: 404 }) : error;
  }
}

/** What the server's texts of what it does not have mean. */
const missingTexts = new Map<string | undefined, string>([
  ["stage not found", "has no such stage"],
  ["claims not found", "has no L1 endpoint, so it knows no claims"],
]);

/** @throws RangeError for a number that is another stage's already, rounded. */
export function stageText(stage: bigint | number | string): string {
  if (typeof stage === "number" && !Number.isSafeInteger(stage)) throw new RangeError(`stage ${stage} is not exact`);
  return String(stage);
}

/** @throws RangeError for a part that is empty, `.` or `..`, which would be another route. */
export function scorePath(...parts: readonly string[]): string {
  const empty = parts.find((part) => /^\.{0,2}$/.test(part));
  if (empty !== undefined) throw new RangeError(`"${empty}" is no stage and no account`);
  return ["/scores/v1", ...parts.map(encodeURIComponent)].join("/");
}
