import { createApi, openStore, serveApi, type HexAddress, type NftBlock, type Store } from "@vipscore/indexer";

/** An indexer with a chain that a test creates block by block. */
export interface IndexedChain extends AsyncDisposable {
  readonly url: string;
  /** Indexes one more block. */
  block(...changes: NftBlock["changes"]): Promise<void>;
  /** Called before each request is answered, with its path. */
  onRequest: (path: string) => Promise<void>;
}

/** Starts the real indexer over an empty database. */
export async function startIndexedChain(): Promise<IndexedChain> {
  const store: Store = await openStore(":memory:");
  await store.beginChain("31337", 0);
  let height = 0;
  // Every request passes by `fetch`, also those whose answers are kept.
  const api = Object.assign(createApi({ store, version: "test" }), { answerKept: () => Promise.resolve(false) });
  const chain: Pick<IndexedChain, "onRequest"> = { onRequest: () => Promise.resolve() };
  const { fetch } = api;
  api.fetch = async (request, ...rest) => {
    await chain.onRequest(new URL(request.url).pathname);
    return fetch(request, ...rest);
  };
  const server = await serveApi({ api, host: "127.0.0.1", port: 0 });
  return Object.assign(chain, {
    url: server.url,
    block: async (...changes: NftBlock["changes"]) => {
      height += 1;
      const timestamp = new Date(1_700_000_000_000 + height * 1000).toISOString();
      await store.applyBlocks([{ height, timestamp, changes }], {
        height,
        blockHash: height.toString(16).padStart(64, "0"),
      });
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await store.close();
    },
  });
}

export const cats = "0x00000000000000000000000000000000000000c1";
export const alice = "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475";
/** Alice's address as the command writes it. */
export const aliceShown = "0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475";
export const bob = "0x00000000000000000000000000000000000000bb";

/** A new collection. */
export function collection(collectionAddr: HexAddress, name = "Cats"): NftBlock["changes"][number] {
  return { kind: "collection", collectionAddr, name, creator: "0x00000000000000000000000000000000000000aa" };
}

/** A token with its first owner. */
export function minted(collectionAddr: HexAddress, tokenId: string, owner: HexAddress): NftBlock["changes"][number] {
  const uri = `https://example.org/${tokenId}`;
  return { kind: "minted", collectionAddr, tokenId, owner, uri, objectAddr: undefined, txHash: "ab".repeat(32) };
}

/** A token's new owner. */
export function moved(collectionAddr: HexAddress, tokenId: string, owner: HexAddress): NftBlock["changes"][number] {
  return { kind: "transferred", token: { collectionAddr, tokenId }, owner, txHash: "cd".repeat(32) };
}
