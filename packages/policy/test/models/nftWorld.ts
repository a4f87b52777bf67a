import { hash } from "node:crypto";
import fc from "fast-check";
import type { NftOwnerChange } from "../../src/chain/chainSource.ts";
import type { PlayedChange } from "../nftSources.ts";
import { alice, bob } from "../policyFolder.ts";

/** Collections whose tokens have IDs alone, as on EVM and Wasm, and one whose tokens are objects, as on Move. */
export const collections = [`0x${"c0".repeat(20)}`, `0x${"c1".repeat(20)}`, `0x${"ff".repeat(32)}`] as const;

/** What happens next: how many blocks later, to which token, and its next owner; undefined for a burn. */
export interface NftAction {
  readonly blocksLater: number;
  readonly collection: 0 | 1 | 2;
  readonly tokenId: string;
  readonly owner: `0x${string}` | undefined;
  /** Instead, an object that is not a token, or no longer one, gets the owner. */
  readonly isStray: boolean;
}

export const nftActions: fc.Arbitrary<readonly NftAction[]> = fc.array(
  fc.record<NftAction>({
    blocksLater: fc.constantFrom(0, 0, 1, 1, 2, 5),
    collection: fc.constantFrom(0, 1, 2),
    tokenId: fc.constantFrom("1", "2", "ü"),
    owner: fc.constantFrom(alice, bob, undefined),
    isStray: fc.constantFrom(false, false, true),
  }),
  { minLength: 10, maxLength: 80 },
);

/** A chain whose blocks are 1 to `height`. */
export interface NftWorld {
  readonly height: number;
  /** What a node shows, in the order of the chain. */
  readonly changes: readonly PlayedChange[];
  /** Who owns each token after a block, by collection and ID. */
  readonly ownersAfter: (height: number) => ReadonlyMap<string, string>;
}

/** Plays actions on a chain that keeps one table of owners, and copies it after each block. */
export function playNfts(actions: readonly NftAction[]): NftWorld {
  const owners = new Map<string, string>();
  /** The object of each token of Move that exists. */
  const objects = new Map<string, `0x${string}`>();
  /** Objects that are not tokens, or no longer. */
  const strays = [object("stray")];
  const copies: ReadonlyMap<string, string>[] = [];
  const changes: PlayedChange[] = [];
  let height = 1;
  for (const { blocksLater, collection, tokenId, owner, isStray } of actions) {
    for (let block = 0; block < blocksLater; block += 1) copies.push(new Map(owners));
    height += blocksLater;
    const emit = (change: NftOwnerChange) => changes.push({ height, change });
    const ofObject = (objectAddr: `0x${string}`) => emit({ token: { objectAddr }, objectAddr: undefined, owner });
    if (isStray) {
      ofObject(strays[changes.length % strays.length] ?? object(""));
      continue;
    }
    const token = { collectionAddr: collections[collection], tokenId };
    const key = `${token.collectionAddr} ${tokenId}`;
    const known = objects.get(key);
    if (collection !== 2) emit({ token, objectAddr: undefined, owner });
    else if (known !== undefined) {
      ofObject(known);
      if (owner === undefined) emit({ token, objectAddr: undefined, owner });
    } else if (owner !== undefined) {
      const minted = object(`${key} ${changes.length}`);
      objects.set(key, minted);
      emit({ token, objectAddr: minted, owner });
    }
    if (owner !== undefined) owners.set(key, owner);
    else {
      owners.delete(key);
      objects.delete(key);
      if (known !== undefined) strays.push(known);
    }
  }
  return { height, changes, ownersAfter: (at) => copies[at - 1] ?? owners };
}

function object(name: string): `0x${string}` {
  return `0x${hash("sha256", name)}`;
}
