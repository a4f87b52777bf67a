import { toUSVString } from "node:util";
import { object, optional, withSchema, type ReadField } from "@vipscore/core/field";
import type { BlockRange, ChainSource, NftOwnerChange, NftOwners, SourcePart } from "../../chain/chainSource.ts";
import { sourceInvalid } from "../../policyError.ts";
import type { SourceColumn, SourceRow } from "../policySource.ts";
import { blockHeight, contractAddress, distinct, sourceFields } from "../sourceFields.ts";

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
  readonly columns: readonly SourceColumn[];
}

/** The columns that name a token and its owner. */
const ofToken = [
  { name: "collection", type: "address" },
  { name: "token_id", type: "text" },
  { name: "owner", type: "address" },
] as const satisfies readonly SourceColumn[];

export const nftColumns = {
  /** `since`: the height at which the owner got the token. */
  nft_holdings: [...ofToken, { name: "since", type: "integer", stored: "bigint" }],
  /** `first` and `last` are heights of the window, both included; `blocks` is how many these are. */
  nft_holdings_over_time: [
    ...ofToken,
    { name: "first", type: "integer", stored: "bigint" },
    { name: "last", type: "integer", stored: "bigint" },
    { name: "blocks", type: "integer", stored: "bigint" },
  ],
} as const satisfies Readonly<Record<NftKind, readonly SourceColumn[]>>;

const readFields = object({
  ...sourceFields,
  collections: distinct(contractAddress([20, 32])),
  start_height: optional(blockHeight),
});

/** Returns the reader of a source of NFTs, which throws InputError `POLICY_INVALID`. */
export function readNftDefinition(kind: NftKind): ReadField<NftDefinition> {
  return withSchema({ ...readFields.schema }, (source) => {
    const { name, collections, start_height: startHeight = 1 } = readFields(source);
    return { kind, name, collections, startHeight, columns: nftColumns[kind] };
  });
}

/** The columns of the changes: those of {@link NftOwnerChange}, with an empty text for what is undefined. */
export const nftChangeColumns = [
  { name: "height", type: "integer", stored: "bigint" },
  { name: "collection", type: "text" },
  { name: "token_id", type: "text" },
  { name: "object", type: "text" },
  { name: "owner", type: "text" },
] as const satisfies readonly SourceColumn[];

/**
 * Reads the changes of owners as the chain has them, for `readByToken`. Objects of Move are not resolved here: that takes all changes
 * before, and reading can start at any block.
 */
export function nftChangesSource(
  { name, collections }: Pick<NftDefinition, "name" | "collections">,
  owners: NftOwners,
): ChainSource {
  return {
    name,
    kind: "nft_changes",
    columns: nftChangeColumns,
    identity: JSON.stringify({ kind: "nft_changes", collections }),
    async *read(range: BlockRange, signal: AbortSignal): AsyncGenerator<SourcePart, void, undefined> {
      for await (const { blocks, ...part } of owners.read(range, signal)) {
        const rows = blocks.flatMap(({ height, changes }) => changes.map((change) => rowOf(change, height, name)));
        yield { ...part, rows };
      }
    },
  };
}

function rowOf({ token, objectAddr, owner: newOwner }: NftOwnerChange, height: number, name: string): SourceRow {
  const owner = newOwner ?? "";
  if (!("tokenId" in token)) return [BigInt(height), "", "", token.objectAddr, owner];
  const { collectionAddr, tokenId } = token;
  // UTF-8 has no lone surrogates: replacing them could make two IDs equal.
  if (toUSVString(tokenId) !== tokenId) {
    throw sourceInvalid(`${name}: ${collectionAddr} has a token in block ${height} whose ID is not Unicode`);
  }
  return [BigInt(height), collectionAddr, tokenId, objectAddr ?? "", owner];
}
