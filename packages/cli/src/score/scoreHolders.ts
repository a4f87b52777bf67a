import { InputError, parseAccount, u64Max, type Account, type ScoreRow } from "@vipscore/core";

/** The holders of a collection's tokens, and the points per token. */
export interface WeighedHolders {
  /** Points that one token adds to its holder's score, 1 to 2^64 - 1. */
  readonly weight: bigint;
  /** Tokens by holder; a holder as `0x` and lower-case hex of 20 or 32 bytes. */
  readonly holders: ReadonlyMap<string, number>;
}

/** The scores of holders. */
export interface HolderScores {
  /** One row per account, ascending by account, without scores of 0. */
  readonly rows: readonly ScoreRow[];
  /** Tokens of the zero address, which gets no score. */
  readonly tokensOfNobody: number;
}

/** Some collections move burned tokens here. */
const zeroAddress = /^0x0+$/;

/**
 * Returns the score of each account: its tokens of each collection times that collection's weight, summed.
 *
 * @param leftOut Accounts that get no score.
 * @throws InputError `INPUT_INVALID` if a score or the total is above 2^64 - 1, naming the account at which it happens.
 * @example
 * const { rows } = scoreHolders([{ weight: 10n, holders: new Map([["0xaaaa00000000000000000000000000000000aaaa", 3]]) }]);
 */
export function scoreHolders(
  collections: readonly WeighedHolders[],
  leftOut: ReadonlySet<string> = new Set(),
): HolderScores {
  const scores = new Map<Account, bigint>();
  let tokensOfNobody = 0;
  let total = 0n;
  for (const { weight, holders } of collections) {
    for (const [holder, tokens] of holders) {
      if (zeroAddress.test(holder)) {
        tokensOfNobody += tokens;
        continue;
      }
      if (tokens === 0 || leftOut.has(holder)) continue;
      const account = parseAccount(holder, { accountBytes: [20, 32] });
      const added = BigInt(tokens) * weight;
      const score = (scores.get(account) ?? 0n) + added;
      total += added;
      if (score > u64Max) throw tooLarge(`the score of ${account}`, score);
      if (total > u64Max) throw tooLarge(`the total, with the score of ${account},`, total);
      scores.set(account, score);
    }
  }
  const rows = Array.from(scores, ([account, score]) => ({ account, score })).sort((a, b) =>
    a.account < b.account ? -1 : 1,
  );
  return { rows, tokensOfNobody };
}

function tooLarge(what: string, value: bigint): InputError {
  return new InputError(`${what} would be ${value} or more, which is above 2^64 - 1`, {
    metaMessages: ["Scores and their total are u64: choose smaller weights."],
  });
}
