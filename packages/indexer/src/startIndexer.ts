import { readFileSync } from "node:fs";
import { createApi } from "./api/createApi.ts";
import { serveApi } from "./api/serveApi.ts";
import { cosmosChain } from "./chain/cosmos/cosmosChain.ts";
import { evmChain } from "./chain/evm/evmChain.ts";
import type { NftChain } from "./chain/nftChain.ts";
import { followChain, type FollowEvent } from "./follow/followChain.ts";
import { resumeChain } from "./follow/resumeChain.ts";
import { openStore } from "./store/openStore.ts";

/** Where a rollup is: the JSON-RPC of an EVM rollup, or the CometBFT RPC of a Move or CosmWasm rollup's node. */
export type IndexerSource = { readonly jsonRpcUrl: string } | { readonly rpcNodeUrl: string };

/** What is indexed, where it is kept and where it is served. */
export interface StartIndexerOptions {
  readonly source: IndexerSource;
  /** Path of a SQLite file, `:memory:`, or a `postgres://` URL; `:memory:` when absent. */
  readonly database?: string | undefined;
  /** Address to listen on; `127.0.0.1` when absent. */
  readonly host?: string | undefined;
  /** Port to listen on, 0 for any free one; 0 when absent. */
  readonly port?: number | undefined;
  /** Origins of web pages that may read the API, `*` for all; none when absent. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** First block of a new database, from 1; 1 when absent. Tokens that did not change since are unknown. */
  readonly startHeight?: number | undefined;
  /** Milliseconds between two looks for a new block; 500 when absent. */
  readonly pollMs?: number | undefined;
  readonly onEvent?: ((event: FollowEvent) => void) | undefined;
  /** Told of what no request is to blame for: a failed read, a row that cannot be written. Printed when absent. */
  readonly onRequestError?: ((error: unknown) => void) | undefined;
  /** Breaks off the start. What runs is ended by `stop`. */
  readonly signal?: AbortSignal | undefined;
}

/** An indexer that follows its chain and answers requests. */
export interface RunningIndexer {
  /** Base URL of the API. */
  readonly url: string;
  readonly chainId: string;
  /** Settles when the indexer has ended: resolves after `stop`, rejects with what made following impossible. */
  readonly ended: Promise<void>;
  /** Ends following and serving, and closes the database. What is indexed stays. */
  readonly stop: () => Promise<void>;
}

/**
 * Follows a chain from where its database stopped, and serves what it found.
 *
 * @throws VipError `CHAIN_MISMATCH` for a database of another chain, `CHAIN_RESTARTED`, `DATABASE_INVALID`,
 * `DATABASE_IN_USE` when another indexer writes to it, `DATABASE_UNREACHABLE`, `NODE_UNREACHABLE`; CONFIG_INVALID for an address that cannot be listened on; the signal's reason.
 * @example
 * const indexer = await startIndexer({ source: { jsonRpcUrl: "http://127.0.0.1:8545" }, database: "nfts.sqlite" });
 * console.log(`${indexer.url}/status`);
 * await indexer.stop();
 */
export async function startIndexer(options: StartIndexerOptions): Promise<RunningIndexer> {
  const { database = ":memory:", host = "127.0.0.1", port = 0, corsOrigins, startHeight, pollMs, onEvent } = options;
  const stopping = new AbortController();
  const started = options.signal ?? stopping.signal;
  const chain = openChain(options.source);
  // A node that is away now is more likely misnamed than restarting.
  const chainId = await chain.readChainId(started);
  const store = await openStore(database);
  try {
    await resumeChain({ chain, store, startHeight: startHeight ?? 1 }, { onEvent, signal: started });
    const api = createApi({ store, version: readVersion(), corsOrigins, onError: options.onRequestError });
    const server = await serveApi({ api, host, port });
    const following = followChain({ chain, store, startHeight, pollMs, onEvent, signal: stopping.signal });
    const ended = endOf(following, [() => server.close(), () => store.close()]);
    // A caller that only stops never looks at it.
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

function openChain(source: IndexerSource): NftChain {
  return "jsonRpcUrl" in source
    ? evmChain({ jsonRpcUrl: source.jsonRpcUrl })
    : cosmosChain({ rpcNodeUrl: source.rpcNodeUrl });
}

/** Settles as the work does, after all of the closing, which is done whatever happens. */
async function endOf(work: Promise<void>, closing: readonly (() => Promise<void>)[]): Promise<void> {
  try {
    await work;
  } finally {
    for (const close of closing) await close();
  }
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}
