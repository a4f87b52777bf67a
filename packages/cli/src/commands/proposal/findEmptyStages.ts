import { stage, type PinnedOptions, type ScoreContract } from "@vipscore/core";

/** Stages that are read at most: on mainnet, those of four years. */
const maxRead = 100n;

/** Stages without scores among those that were read. */
export interface EmptyStages {
  readonly empty: readonly bigint[];
  /** The first stage that was not read; undefined if all were. */
  readonly unreadFrom: bigint | undefined;
}

/** Finds the stages from `first` to `last`, of at most 100, that are finalized without scores. */
export async function findEmptyStages(
  contract: Pick<ScoreContract, "getStage">,
  { first, last }: { readonly first: bigint; readonly last: bigint },
  at: PinnedOptions,
): Promise<EmptyStages> {
  const end = first + maxRead;
  const empty: bigint[] = [];
  for (let number = first; number <= last && number < end; number += 1n) {
    const info = await contract.getStage(stage(number), at);
    if (info?.isFinalized === true && info.total === 0n) empty.push(number);
  }
  return { empty, unreadFrom: end <= last ? end : undefined };
}
