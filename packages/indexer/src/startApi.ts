import { createApi } from "./api/createApi.ts";
import { serveApi } from "./api/serveApi.ts";
import { readVersion } from "./readVersion.ts";
import type { RunningIndexer, StartIndexerOptions } from "./startIndexer.ts";
import { openStoreToRead } from "./store/openStore.ts";

/** The database to serve, and the address that serves it. */
export interface StartApiOptions extends Pick<
  StartIndexerOptions,
  "host" | "port" | "corsOrigins" | "maxLag" | "onRequestError"
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
  const { database, host = "127.0.0.1", port = 0, corsOrigins, maxLag, onRequestError: onError } = options;
  const store = await openStoreToRead(database);
  try {
    const api = createApi({ store, version: readVersion(), corsOrigins, maxLag, onError });
    const server = await serveApi({ api, host, port });
    const stop = async (): Promise<void> => {
      await server.close();
      await store.close();
    };
    return { url: server.url, stop };
  } catch (error) {
    await store.close();
    throw error;
  }
}
