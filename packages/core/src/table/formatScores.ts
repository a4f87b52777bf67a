import { formatBech32, formatChecksummed } from "../account/formatAccount.ts";
import type { ScoreRow } from "./scoreTable.ts";

/** How accounts are spelled in a written file. */
export interface FormatScoresOptions {
  /** `hex` with the capitals of EIP-55, or `bech32`; `hex` when absent. */
  readonly accounts?: "hex" | "bech32";
  /** The human-readable part of bech32 addresses; `init` when absent. */
  readonly bech32Prefix?: string;
}

/** Length at which a piece of text is handed on; writing every line by itself would be far slower. */
const pieceLength = 65_536;

/**
 * Writes rows as CSV text that `readScores` reads back: the header `address,score`, then one line a row in their order.
 * Yields pieces of whole lines; `pipeline` streams them into a file. Takes pages of rows: a table in an array, or
 * what `ScoreContract.getScores` gives.
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
