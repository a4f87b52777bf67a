/** The largest batch that a library's gas estimation accepts. */
export interface LargestBatch {
  readonly rows: number;
  /** The estimation's answer to a batch with one more row; undefined if it accepts all rows at once. */
  readonly refusal: string | undefined;
}

/** Start of the doubling search. */
const firstRows = 64;

/**
 * Finds the largest batch that an estimation accepts, by doubling, then halving.
 *
 * @param most - Maximum number of rows to try.
 * @param estimate - Throws for a batch that is too large.
 * @throws the error of `estimate` for a single row.
 */
export async function largestBatch(most: number, estimate: (rows: number) => Promise<unknown>): Promise<LargestBatch> {
  const refusalOf = async (rows: number): Promise<string | undefined> => {
    try {
      await estimate(rows);
      return undefined;
    } catch (error) {
      if (rows === 1) throw error;
      return refusalText(error);
    }
  };
  let taken = 0;
  let next = Math.min(firstRows, most);
  let refusal = await refusalOf(next);
  while (refusal === undefined) {
    if (next === most) return { rows: most, refusal };
    taken = next;
    next = Math.min(next * 2, most);
    refusal = await refusalOf(next);
  }
  for (let refused = next; refused - taken > 1;) {
    const middle = Math.floor((taken + refused) / 2);
    const text = await refusalOf(middle);
    if (text === undefined) taken = middle;
    else [refused, refusal] = [middle, text];
  }
  return { rows: taken, refusal };
}

/** Returns the node's text if the error of an HTTP client contains it, otherwise the error's. */
function refusalText(error: unknown): string {
  const { response, details, message } = error as {
    readonly response?: { readonly data?: { readonly message?: unknown } };
    readonly details?: unknown;
    readonly message?: unknown;
  };
  const text = response?.data?.message ?? details ?? message ?? error;
  return String(text).replace(/\s+/g, " ").slice(0, 300);
}
