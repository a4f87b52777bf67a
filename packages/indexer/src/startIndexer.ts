import { readFileSync } from "node:fs";
import type { ScoreContract } from "@vipscore/core";
import { createApi } from "./api/createApi.ts";
import { IndexerMetrics } from "./api/indexerMetrics.ts";
import { serveApi } from "./api/serveApi.ts";
import { cosmosChain } from "./chain/cosmos/cosmosChain.ts";
import { cosmosOwners } from "./chain/cosmos/cosmosOwners.ts";
import { evmChain } from "./chain/evm/evmChain.ts";
import { evmOwners } from "./chain/evm/evmOwners.ts";
import type { HexAddress } from "./chain/nftChain.ts";
import type { NftOwners } from "./chain/nftOwners.ts";
import { scoreEventReader } from "./chain/scoreEvents.ts";
import { followChain, type FollowEvent } from "./follow/followChain.ts";
import { followScores } from "./follow/followScores.ts";
import { L1Watch, type L1Location } from "./follow/l1Watch.ts";
import { resumeChain } from "./follow/resumeChain.ts";
import { openStore, openStoreToRead } from "./store/openStore.ts";
import type { Store } from "./store/store.ts";

/** The source to index, the database that stores it, and the address that serves it. */
export interface StartIndexerOptions {
  readonly source: IndexerSource;
  /** Path of a SQLite file, `:memory:`, or a `postgres://` URL. Default: `:memory:`. */
  readonly database?: string | undefined;
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Port to listen on. Default: any free port, as with 0. */
  readonly port?: number | undefined;
  /** Origins of web pages that may read the API, `*` for all. Default: none. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** False to index no NFTs. Default: true. */
  readonly nfts?: boolean | undefined;
  /** The scoring contract to follow, on the source's chain. Default: none. */
  readonly scores?: ScoreContract | undefined;
  /** The rollup's bridge on L1, to prove the scores of finalized stages. Default: the one that the database has, if any. */
  readonly bridgeId?: bigint | undefined;
  /** L1, to serve what accounts can claim for their scores. Default: no claims are served. */
  readonly l1?: L1Location | undefined;
  /** False to serve no listings, only the state of the index. Default: true. */
  readonly listings?: boolean | undefined;
  /** Maximum number of blocks that the index may be behind for a listing to be answered, see `ApiOptions`. */
  readonly maxLag?: number | undefined;
  /** Maximum bytes of a URI; the digest of a longer one takes its place, and it counts as left out. Default: 1 MiB. */
  readonly maxUriBytes?: number | undefined;
  /** First block of a new database, from 1. Default: 1. Tokens that have not changed since are unknown. */
  readonly startHeight?: number | undefined;
  /** Milliseconds between checks for a new block. Default: 500. */
  readonly pollMs?: number | undefined;
  readonly onEvent?: ((event: FollowEvent) => void) | undefined;
  /** Called with errors that no request caused: a failed read, a row that cannot be written. Default: print them. */
  readonly onRequestError?: ((error: unknown) => void) | undefined;
  /** Aborts the start. Use `stop` to end a running indexer. */
  readonly signal?: AbortSignal | undefined;
}

/** An indexer that follows its chain and answers requests. */
export interface RunningIndexer {
  /** Base URL of the API. */
  readonly url: string;
  readonly chainId: string;
  /**
   * Settles when the indexer has ended: resolves after `stop`, rejects with the error that made indexing impossible.
   */
  readonly ended: Promise<void>;
  /** Stops indexing and serving, and closes the database. Indexed data stays. */
  readonly stop: () => Promise<void>;
}

/**
 * Indexes a chain from where its database stopped, and serves the result.
 *
 * @throws VipError `CHAIN_MISMATCH` for a database of another chain, `CHAIN_RESTARTED`, `DATABASE_INVALID`,
 * `DATABASE_IN_USE` if another indexer writes to it, `DATABASE_UNREACHABLE`, `NODE_UNREACHABLE`; CONFIG_INVALID for an
 * address that it cannot listen on, and for a database with the scores of another contract; the signal's reason.
 * @example
 * const indexer = await startIndexer({ source: { jsonRpcUrl: "http://127.0.0.1:8545" }, database: "nfts.sqlite" });
 * console.log(`${indexer.url}/status`);
 * await indexer.stop();
 */
export async function startIndexer(options: StartIndexerOptions): Promise<RunningIndexer> {
  const { database = ":memory:", host = "127.0.0.1", port = 0, startHeight, pollMs } = options;
  const metrics = new IndexerMetrics();
  const onEvent = (event: FollowEvent): void => {
    metrics.countEvent(event);
    options.onEvent?.(event);
  };
  const { nfts = true, scores, bridgeId, corsOrigins, listings = true, maxLag } = options;
  const { onRequestError: onError } = options;
  const stopping = new AbortController();
  const started = options.signal ?? stopping.signal;
  const { source, maxUriBytes } = options;
  const chain = "jsonRpcUrl" in source ? evmChain({ ...source, maxUriBytes }) : cosmosChain(source);
  // An unreachable node is more likely misconfigured than restarting.
  const chainId = await chain.readChainId(started);
  const store = await openStore(database, { maxUriBytes });
  try {
    if (nfts) await resumeChain({ chain, store, startHeight: startHeight ?? 1 }, { onEvent, signal: started });
    if (scores) await store.scores.begin(scores.identity, bridgeId);
    const l1 = await openL1(options.l1, store, started);
    const kinds = [...(nfts ? (["nfts"] as const) : []), ...(scores ? (["scores"] as const) : [])];
    const served = { l1, corsOrigins, maxLag, metrics, onError, listings: listings ? kinds : [] };
    const server = await serveApi({ api: createApi({ store, version: readOwnVersion(), ...served }), host, port });
    const { signal } = stopping;
    const follow = { chain, pollMs, onEvent, signal };
    const followed: Promise<void>[] = [];
    if (nfts) followed.push(followChain({ ...follow, store, startHeight }));
    if (scores) {
      const readEvents = scoreEventReader(
        "jsonRpcUrl" in source ? source.jsonRpcUrl : source.rpcNodeUrl,
        scores.identity,
      );
      followed.push(followScores({ ...follow, store: store.scores, contract: scores, bridgeId, readEvents }));
    }
    if (l1) followed.push(l1.follow({ onEvent, signal }));
    const following = Promise.all(followed).then(() => undefined);
    // The other one ends too.
    following.catch(() => stopping.abort());
    const end = async (): Promise<void> => {
      try {
        await Promise.allSettled(followed);
        await following;
      } finally {
        await server.close();
        await store.close();
      }
    };
    const ended = end();
    // A caller that only stops never reads it.
    ended.catch(() => undefined);
    const stop = async (): Promise<void> => {
      stopping.abort();
      await ended.catch(() => undefined);
    };
    return { url: server.url, chainId, ended, stop };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Reads L1 for the first time: what cannot be read then is more likely misconfigured. */
async function openL1(location: L1Location | undefined, store: Store, signal: AbortSignal | undefined) {
  if (location === undefined) return undefined;
  const watch = new L1Watch(location, async () => (await store.scores.read())?.bridgeId);
  await watch.read(signal);
  return watch;
}

/** A rollup's endpoint: the JSON-RPC of an EVM rollup, or the CometBFT RPC of a Move or CosmWasm rollup. */
export type IndexerSource = { readonly jsonRpcUrl: string } | { readonly rpcNodeUrl: string };

/**
 * Opens a reader of the owners of collections' tokens, for past blocks of a rollup on any VM. It needs no database, and
 * a node that has all blocks to be read.
 *
 * @param collections Addresses in lowercase hex, as {@link HexAddress} has them.
 * @throws InputError `CONFIG_INVALID` if the URL is invalid.
 * @example
 * const owners = openNftOwners({ jsonRpcUrl: "http://127.0.0.1:8545" }, new Set([collection]));
 * for await (const { blocks } of owners.read({ first: 1, last: 1000 }, signal)) …
 */
export function openNftOwners(source: IndexerSource, collections: ReadonlySet<HexAddress>): NftOwners {
  return "jsonRpcUrl" in source
    ? evmOwners(source.jsonRpcUrl, collections)
    : cosmosOwners(source.rpcNodeUrl, collections);
}

/** The database to serve, and the address that serves it. */
export interface StartApiOptions extends Pick<
  StartIndexerOptions,
  "host" | "port" | "l1" | "corsOrigins" | "maxLag" | "onRequestError"
> {
  /** Path of a SQLite file, or a `postgres://` URL, also of a read replica. */
  readonly database: string;
}

/**
 * Serves a database that an indexer fills in another process. Any number of them may run on one database.
 *
 * @throws VipError `DATABASE_INVALID` if the indexer has not created its tables, `DATABASE_UNREACHABLE`;
 * CONFIG_INVALID for an address that it cannot listen on.
 * @example
 * const api = await startApi({ database: process.env.DATABASE_URL, port: 8081 });
 * await api.stop();
 */
export async function startApi(options: StartApiOptions): Promise<Pick<RunningIndexer, "url" | "stop">> {
  const { database, host = "127.0.0.1", port = 0, corsOrigins, maxLag } = options;
  const { onRequestError: onError = console.error } = options;
  const store = await openStoreToRead(database);
  try {
    const l1 = await openL1(options.l1, store, undefined);
    const api = createApi({ store, version: readOwnVersion(), l1, corsOrigins, maxLag, onError });
    const server = await serveApi({ api, host, port });
    const stopping = new AbortController();
    const onEvent = (event: FollowEvent) => event.type === "waiting" && onError(event.error);
    const watching = l1?.follow({ onEvent, signal: stopping.signal }).catch(onError);
    const stop = async (): Promise<void> => {
      stopping.abort();
      await watching;
      await server.close();
      await store.close();
    };
    return { url: server.url, stop };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function readOwnVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}
