import type { CallRow } from "@vipscore/core";

/** Up to four neighboring accounts' scores, as `updateScoresPacked` takes them (E13 of contracts/evm/SPEC.md). */
export interface PackedScores {
  readonly key: bigint;
  readonly amounts: bigint;
}

const idsPerGroup = 4n;

/** Packs rows of different accounts by the id of each account. */
export function packScores(rows: readonly CallRow[]): readonly PackedScores[] {
  const groups = new Map<bigint, { lanes: bigint; amounts: bigint }>();
  for (const { account, score, accountId: id = 0 } of rows) {
    if (id === 0) throw new Error(`a packed batch contains ${account} without its id: pass only priced rows`);
    const number = BigInt(id) / idsPerGroup;
    const lane = BigInt(id) % idsPerGroup;
    const group = groups.get(number) ?? { lanes: 0n, amounts: 0n };
    group.lanes |= 1n << lane;
    group.amounts |= score << (64n * lane);
    groups.set(number, group);
  }
  const ascending = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return ascending.map(([number, { lanes, amounts }]) => ({ key: 16n * number + lanes, amounts }));
}
