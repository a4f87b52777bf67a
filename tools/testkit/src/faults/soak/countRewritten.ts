import type { Write } from "./soakChain.ts";

/** Counts the accounts that were written more than once although none of those transactions was in doubt. */
export function countRewritten(writes: readonly Write[], doubts: ReadonlySet<string>): number {
  const hashesOf = new Map<string, string[]>();
  for (const { account, hash } of writes) hashesOf.set(account, [...(hashesOf.get(account) ?? []), hash]);
  let count = 0;
  for (const hashes of hashesOf.values()) {
    if (hashes.length > 1 && !hashes.some((hash) => doubts.has(hash))) count += 1;
  }
  return count;
}
