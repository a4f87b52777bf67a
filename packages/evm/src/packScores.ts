import type { ScoreRow } from "@vipscore/core";

/** Up to four neighbouring accounts' scores, as `updateScoresPacked` takes them (E13 of docs/spec.md). */
export interface PackedScores {
  readonly key: bigint;
  readonly amounts: bigint;
}

const idsPerGroup = 4n;

/** Packs rows of different accounts; `ids` has the number of each row's account, undefined where the contract knows none. */
export function packScores(rows: readonly ScoreRow[], ids: readonly (number | undefined)[]): readonly PackedScores[] {
  const groups = new Map<bigint, { lanes: bigint; amounts: bigint }>();
  for (const [index, { account, score }] of rows.entries()) {
    const id = ids[index];
    if (id === undefined) throw new Error(`a packed batch names ${account}, which the contract does not know`);
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
