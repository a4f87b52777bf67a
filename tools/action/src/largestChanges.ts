/** One account whose score on the chain differs from the file; null where it has none. */
export interface Difference {
  readonly account: string;
  readonly file: string | null;
  readonly chain: string | null;
}

/** Maximum number of changes that a comment shows. */
export const shownChanges = 10;

/** Returns a Markdown table of the changes that move most points, and the number of the others. */
export function largestChanges(differences: readonly Difference[]): string {
  const changes = differences
    .map(({ account, file, chain }) => ({ account, before: BigInt(chain ?? 0), after: BigInt(file ?? 0) }))
    .sort((a, b) => Number(sizeOf(b) > sizeOf(a)) - Number(sizeOf(b) < sizeOf(a)));
  if (changes.length === 0) return "No score changes.";
  const rows = changes.slice(0, shownChanges).map(({ account, before, after }) => {
    const sign = after < before ? "" : "+";
    const [from, to, change] = [before, after, after - before].map((points) => points.toLocaleString("en-US"));
    return `| \`${account}\` | ${from} | ${to} | ${sign}${change} |`;
  });
  const rest = changes.length - rows.length;
  const more = rest === 0 ? [] : ["", `${rest} more ${rest === 1 ? "change" : "changes"}.`];
  return ["| account | before | after | change |", "| --- | ---: | ---: | ---: |", ...rows, ...more].join("\n");
}

function sizeOf({ before, after }: { readonly before: bigint; readonly after: bigint }): bigint {
  return after < before ? before - after : after - before;
}
