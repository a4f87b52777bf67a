import type { NftBlock, NftChain, NftChange, PendingUri, UriRead } from "../src/chain/nftChain.ts";

/** Returns a chain whose blocks come with all URIs: what a follower must have after it has read them behind the blocks. */
export function withUris(chain: NftChain): NftChain {
  return {
    ...chain,
    readBlocks: async (first, last, options) => {
      const blocks = await chain.readBlocks(first, last, options);
      return Promise.all(blocks.map((block) => withUrisOf(chain, block, options.signal)));
    },
  };
}

async function withUrisOf(chain: NftChain, block: NftBlock, signal: AbortSignal): Promise<NftBlock> {
  const tokens = new Map(block.changes.flatMap((change) => tokenToRead(change) ?? []).map((one) => [keyOf(one), one]));
  const pending = [...tokens.values()].map((token) => ({ ...token, height: block.height, urisInBlock: tokens.size }));
  const reads = await chain.readUris(pending, signal);
  const uris = new Map(reads.map((read) => [keyOf(read), read.uri]));
  const changes = block.changes.map((change): NftChange => {
    const token = tokenToRead(change);
    const uri = token && uris.get(keyOf(token));
    return uri !== undefined && (change.kind === "minted" || change.kind === "uriChanged")
      ? { ...change, uri }
      : change;
  });
  return { ...block, changes, notRead: [...(block.notRead ?? []), ...reads.flatMap(lostOf)] };
}

function tokenToRead(change: NftChange): Pick<PendingUri, "collectionAddr" | "tokenId" | "objectAddr"> | undefined {
  if ((change.kind !== "minted" && change.kind !== "uriChanged") || change.uri !== undefined) return undefined;
  const token = change.kind === "minted" ? change : change.token;
  if (!("tokenId" in token)) throw new Error("the URI of a token without an ID is not given");
  const objectAddr = change.kind === "minted" ? change.objectAddr : undefined;
  return { collectionAddr: token.collectionAddr, tokenId: token.tokenId, objectAddr };
}

function lostOf({ collectionAddr, notRead }: UriRead) {
  return notRead === undefined ? [] : [{ collectionAddr, reason: notRead }];
}

function keyOf({ collectionAddr, tokenId }: Pick<PendingUri, "collectionAddr" | "tokenId">): string {
  return `${collectionAddr}/${tokenId}`;
}
