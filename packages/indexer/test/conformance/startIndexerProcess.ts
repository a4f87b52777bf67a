import { fork } from "node:child_process";
import { once } from "node:events";

/** The server in its own process. */
export interface IndexerProcess {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the indexer in its own process, which ends with this process.
 *
 * @throws Error if it ends before it answers.
 */
export async function startIndexerProcess(jsonRpcUrl: string, database: string): Promise<IndexerProcess> {
  const child = fork(new URL("./indexerProcess.ts", import.meta.url), [jsonRpcUrl, database], {
    execArgv: ["--conditions=@vipscore/source"],
  });
  const exited = once(child, "exit");
  const url = await Promise.race([
    once(child, "message").then(([message]) => String(message)),
    exited.then(([code]) => Promise.reject(new Error(`the indexer ended with ${String(code)}`))),
  ]);
  const stop = async () => {
    if (child.connected) child.disconnect();
    await exited;
  };
  return { url, stop };
}
