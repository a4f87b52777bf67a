const grouped = new Intl.NumberFormat("en-US");

/** Formats an integer: `4,812,345`. */
export function group(value: bigint | number): string {
  return grouped.format(value);
}

/** Formats a count: `1 transaction`, `2 transactions`. */
export function countTransactions(value: number): string {
  return `${group(value)} ${value === 1 ? "transaction" : "transactions"}`;
}

/** Shortens a hex sha256: `3f2a…9c`. */
export function shortDigest(digest: string): string {
  return `${digest.slice(0, 4)}…${digest.slice(-2)}`;
}
