import type { HexAddress, NftBlock, NftChange, TokenReference } from "../../src/chain/nftChain.ts";

/** A token after all changes of a chain. */
export interface FoldedToken {
  readonly collectionAddr: HexAddress;
  readonly tokenId: string;
  readonly owner: HexAddress;
  readonly uri: string;
  readonly objectAddr: HexAddress | undefined;
}

/** The result of a chain's changes by the rules of {@link NftChange}, in the simplest implementation. */
export class FoldedChain {
  readonly collections = new Map<HexAddress, { readonly name: string; readonly creator: HexAddress }>();
  readonly #tokens = new Map<string, FoldedToken>();

  apply(blocks: readonly NftBlock[]): this {
    for (const { changes } of blocks) for (const change of changes) this.#change(change);
    return this;
  }

  /** A collection's tokens by id. */
  tokensOf(collectionAddr: HexAddress): ReadonlyMap<string, FoldedToken> {
    const tokens = [...this.#tokens.values()].filter((token) => token.collectionAddr === collectionAddr);
    return new Map(tokens.map((token) => [token.tokenId, token]));
  }

  #change(change: NftChange): void {
    if (change.kind === "collection") {
      const { collectionAddr, name, creator } = change;
      if (this.collections.has(collectionAddr)) throw new Error(`collection ${collectionAddr} was announced twice`);
      this.collections.set(collectionAddr, { name, creator });
      return;
    }
    if (change.kind === "minted") {
      this.#put({ ...change, uri: given(change.uri) });
      return;
    }
    if (change.kind === "originNamed") return;
    if (change.kind === "urisChanged") throw new Error("only EVM changes URIs by ranges");
    const known = this.#find(change.token);
    if (change.kind === "transferred") {
      if (known !== undefined) this.#put({ ...known, owner: change.owner });
      else if ("tokenId" in change.token) {
        this.#put({ ...change.token, owner: change.owner, uri: "", objectAddr: undefined });
      }
    } else if (known !== undefined) {
      if (change.kind === "uriChanged") this.#put({ ...known, uri: given(change.uri) });
      else this.#tokens.delete(keyOf(known));
    }
  }

  #put({ collectionAddr, tokenId, owner, uri, objectAddr }: FoldedToken): void {
    if (!this.collections.has(collectionAddr))
      throw new Error(`a token of ${collectionAddr} came before its collection`);
    this.#tokens.set(keyOf({ collectionAddr, tokenId }), { collectionAddr, tokenId, owner, uri, objectAddr });
  }

  #find(token: TokenReference): FoldedToken | undefined {
    if ("tokenId" in token) return this.#tokens.get(keyOf(token));
    return [...this.#tokens.values()].find(({ objectAddr }) => objectAddr === token.objectAddr);
  }
}

/** A URI that the chain gave with its change. */
function given(uri: string | undefined): string {
  if (uri === undefined) throw new Error("a URI was not read");
  return uri;
}

function keyOf({ collectionAddr, tokenId }: Pick<FoldedToken, "collectionAddr" | "tokenId">): string {
  return `${collectionAddr}/${tokenId}`;
}
