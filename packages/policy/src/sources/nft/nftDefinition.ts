import type { TomlTable } from "../../files/tomlTable.ts";
import { parseContracts } from "../parseContract.ts";
import { readStartHeight } from "../startHeight.ts";

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

/** Returns the reader of a source of NFTs, which throws InputError `POLICY_INVALID`. */
export function readNftDefinition(kind: NftKind): (name: string, table: TomlTable) => NftDefinition {
  return (name, table) => {
    const collections = parseContracts(table, "collections", [20, 32]);
    return { kind, name, collections, startHeight: readStartHeight(table) ?? 1 };
  };
}
