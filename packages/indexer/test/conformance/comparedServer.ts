import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { createApi, openStore, serveApi } from "../../src/index.ts";
import type { TestDatabase } from "./databases.ts";
import { generateChain, loadChain } from "./generatedChain.ts";
import { requestsOf } from "./requests.ts";
import { runRequests, type Comparison, type Send } from "./runRequests.ts";

const seed = fuzzSeed();
/** The chain of every server in a run. */
export const chain = generateChain(seed);
/** Requests with random parameters; the others are extra. */
export const mixedCount = 300;

export interface RunningServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The server of this repository with the generated chain in a database. */
export async function startServer(create: () => Promise<TestDatabase>): Promise<RunningServer> {
  const database = await create();
  const store = await openStore(database.url);
  await loadChain(store, chain);
  const api = createApi({ store, version: "test", listings: ["nfts"] });
  const { url, close } = await serveApi({ api, host: "127.0.0.1", port: 0 });
  const stop = async () => {
    await close();
    await store.close();
    await database.remove();
  };
  return { url, stop };
}

/** Sends the same seeded requests and walks to a server and compares its answers with the rules of the API. */
export function compareWithRules(send: Send): Promise<Comparison> {
  return runRequests(send, chain.data, requestsOf(chain.data, seededRandom(seed), mixedCount));
}
