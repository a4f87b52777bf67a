import type { NodeFile } from "@vipscore/core/nodeFile";
import { createApi, openStore, serveApi, type HexAddress, type NftBlock, type Store } from "@vipscore/indexer";
import { script } from "@vipscore/testkit/scriptedServer";

/** An indexer with a chain that a test creates block by block. */
export interface IndexedChain extends AsyncDisposable {
  readonly url: string;
  /** Indexes one more block. */
  block(...changes: NftBlock["changes"]): Promise<void>;
  /** Called before each request is answered, with its path. */
  onRequest: (path: string) => Promise<void>;
  /** An endpoint of the rollup's node that serves its blocks, one a second, on any VM. */
  readonly nodeUrl: string;
  /** Number of blocks that the rollup has and the indexer does not. */
  ahead: number;
  /** Age of the rollup's newest block when the test began, in milliseconds. */
  restedMs: number;
  /** The hash that the indexer reports for the block of its newest EVM transaction. Default: it serves no transactions. */
  evmTxHash: string | undefined;
}

/** Starts the real indexer over an empty database. */
export async function startIndexedChain(chainId = "31337"): Promise<IndexedChain> {
  const store: Store = await openStore(":memory:");
  await store.beginChain(chainId, 0);
  let height = 0;
  const api = createApi({ store, version: "test" });
  const chain: Pick<IndexedChain, "onRequest" | "ahead" | "restedMs" | "evmTxHash"> = {
    onRequest: () => Promise.resolve(),
    ahead: 0,
    restedMs: 0,
    evmTxHash: undefined,
  };
  const { fetch } = api;
  api.fetch = async (request, ...rest) => {
    const { pathname } = new URL(request.url);
    await chain.onRequest(pathname);
    if (pathname === "/indexer/tx/v1/evm-txs" && chain.evmTxHash !== undefined) {
      return Response.json({ txs: [{ blockHash: chain.evmTxHash, blockNumber: `0x${height.toString(16)}` }] });
    }
    return fetch(request, ...rest);
  };
  const server = await serveApi({ api, host: "127.0.0.1", port: 0 });
  const node = await serveBlocks(chainId, () => ({ newest: height + chain.ahead, restedMs: chain.restedMs }));
  return Object.assign(chain, {
    url: server.url,
    nodeUrl: node.url,
    block: async (...changes: NftBlock["changes"]) => {
      height += 1;
      const timestamp = new Date(1_700_000_000_000 + height * 1000).toISOString();
      await store.applyBlocks([{ height, timestamp, changes }], {
        height,
        blockHash: height.toString(16).padStart(64, "0"),
      });
    },
    [Symbol.asyncDispose]: async () => {
      await node.close();
      await server.close();
      await store.close();
    },
  });
}

/** The contents of `.vipscore/node.json` for a local Move node with this indexer. */
export function localNode(chain: IndexedChain): Omit<NodeFile, "pid"> {
  const { nodeUrl, url } = chain;
  return { vm: "move", kind: "test", rpcUrl: nodeUrl, restUrl: nodeUrl, chainId: "31337", indexerUrl: url };
}

/** The hash of a block of {@link IndexedChain.nodeUrl}. */
export function blockHash(height: number): string {
  return `0x${height.toString(16).padStart(64, "b")}`;
}

/** Serves the blocks of a chain over REST, CometBFT RPC and EVM's JSON-RPC; the newest is as old as the test. */
function serveBlocks(chainId: string, look: () => { readonly newest: number; readonly restedMs: number }) {
  const started = Date.now();
  const newest = () => look().newest;
  const timeOf = (height: number) => started - look().restedMs + (height - newest()) * 1000;
  const cosmos = (height: number) => ({
    block: {
      header: { chain_id: chainId, height: String(height), time: new Date(timeOf(height)).toISOString() },
    },
  });
  const call = ({ method, params }: { readonly method: string; readonly params: unknown }): unknown => {
    if (method === "block") return cosmos(Number(Reflect.get(Object(params), "height") ?? newest()));
    if (method === "eth_chainId") return `0x${Number(/^\d+$/.test(chainId) ? chainId : 77).toString(16)}`;
    if (method === "eth_getCode") return "0x";
    const [tag] = params as readonly [string];
    const height = tag === "latest" ? newest() : Number(tag);
    const number = `0x${height.toString(16)}`;
    return { number, hash: blockHash(height), timestamp: `0x${Math.floor(timeOf(height) / 1000).toString(16)}` };
  };
  return script(({ path, body }) => {
    const [, name] = /\/blocks\/(\w+)$/.exec(path) ?? [];
    if (name !== undefined) return { body: cosmos(name === "latest" ? newest() : Number(name)) };
    const received = JSON.parse(body) as { readonly id: number; readonly method: string; readonly params: unknown };
    const answer = (one: typeof received) => ({ jsonrpc: "2.0", id: one.id, result: call(one) });
    return { body: Array.isArray(received) ? (received as (typeof received)[]).map(answer) : answer(received) };
  });
}

export const cats = "0x00000000000000000000000000000000000000c1";
/** Owns cats 1 and 3. */
export const alice = "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475";
/** Alice's address as the command writes it. */
export const aliceShown = "0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475";
/** Owns cat 2. */
export const bob = "0x00000000000000000000000000000000000000bb";

/** Indexes a block with four cats; the zero address owns the last one. */
export async function mintCats(chain: IndexedChain): Promise<void> {
  await chain.block(
    collection(cats),
    minted(cats, "1", alice),
    minted(cats, "2", bob),
    minted(cats, "3", alice),
    minted(cats, "4", "0x0000000000000000000000000000000000000000"),
  );
}

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
