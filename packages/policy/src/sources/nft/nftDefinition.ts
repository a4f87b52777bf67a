import { object, optional, type Field } from "@vipscore/core/field";
import { contract, distinct, height, sourceFields } from "../sourceFields.ts";

/** Contents of a source of NFTs: the owners after the window's last block, or each period of an owner inside the window. */
export type NftKind = "nft_holdings" | "nft_holdings_over_time";

/** A source of NFTs: the tokens of one or more collections. */
export interface NftDefinition {
  readonly kind: NftKind;
  readonly name: string;
  /** Contracts, or collection objects on Move, in lower-case hex; sorted. */
  readonly collections: readonly `0x${string}`[];
  /** The first block that is read. A token that has not changed since is unknown, on Move one that was not minted since. */
  readonly startHeight: number;
}

const readFields = object({
  ...sourceFields,
  collections: distinct(contract([20, 32])),
  start_height: optional(height),
});

/** Returns the reader of a source of NFTs, which throws InputError `POLICY_INVALID`. */
export function readNftDefinition(kind: NftKind): (source: Field) => NftDefinition {
  return (source) => {
    const { name, collections, start_height: startHeight = 1 } = readFields(source);
    return { kind, name, collections, startHeight };
  };
}
