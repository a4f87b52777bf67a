export function Facts({ of: facts }: { of: Readonly<Record<string, string>> }) {
  const rows = Object.entries(facts).map(([name, fact]) => (
    <div key={name}>
      <dt>{name}</dt>
      <dd>{fact}</dd>
    </div>
  ));
  return <dl>{rows}</dl>;
}

/** Numbers of a contract are decimal text, since they may be above 2^53. */
export const grouped = (digits: string): string => BigInt(digits).toLocaleString();
