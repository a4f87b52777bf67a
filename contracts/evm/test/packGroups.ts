/** One entry of `updateScoresPacked`. */
export interface PackedScores {
  readonly key: bigint;
  readonly amounts: bigint;
}

/** Packs scores by account id as {IVipScore.PackedScores} describes, in ascending order. */
export function packGroups(scores: ReadonlyMap<number, bigint>): PackedScores[] {
  const groups = new Map<number, PackedScores>();
  for (const [id, amount] of [...scores].sort(([a], [b]) => a - b)) {
    const group = Math.floor(id / 4);
    const lane = BigInt(id % 4);
    const { key, amounts } = groups.get(group) ?? { key: BigInt(group) * 16n, amounts: 0n };
    groups.set(group, { key: key | (1n << lane), amounts: amounts | (amount << (64n * lane)) });
  }
  return [...groups.values()];
}
