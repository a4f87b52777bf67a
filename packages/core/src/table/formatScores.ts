import { formatBech32, formatChecksummed } from "../account/formatAccount.ts";
import type { ScoreRow } from "./scoreTable.ts";

/** Spelling of accounts in a written file. */
export interface FormatScoresOptions {
  /** `hex` with EIP-55 capitals, or `bech32`. Default: `hex`. */
  readonly accounts?: "hex" | "bech32";
  /** Human-readable part of bech32 addresses. Default: `init`. */
  readonly bech32Prefix?: string;
}

/** Minimum length of the pieces of text; writing each line separately would be far slower. */
const pieceLength = 65_536;

/**
 * Writes rows as CSV text that `readScores` reads back: the header `address,score`, then one line per row, in order.
 * Yields pieces of whole lines; `pipeline` streams them into a file. Takes pages of rows: a table in an array, or
 * the result of `ScoreContract.getScores`.
 *
 * @example
 * await pipeline(formatScores([table]), createWriteStream("scores.csv"));
 */
export async function* formatScores(
  pages: AsyncIterable<Iterable<ScoreRow>> | Iterable<Iterable<ScoreRow>>,
  options: FormatScoresOptions = {},
): AsyncGenerator<string, void, undefined> {
  let piece = "address,score\n";
  for await (const page of pages) {
    for (const { account, score } of page) {
      const spelling =
        options.accounts === "bech32" ? formatBech32(account, options.bech32Prefix) : formatChecksummed(account);
      piece += `${spelling},${score}\n`;
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = "";
    }
  }
  if (piece !== "") yield piece;
}
