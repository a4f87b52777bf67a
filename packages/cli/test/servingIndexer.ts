import { freePort } from "@vipscore/testkit/freePort";
import type { CliResult, TestFolder } from "./harness.ts";

export type Json = Readonly<Record<string, unknown>>;

/** Reads an answer; undefined before the API listens, and while a stage is not there. */
export async function read(url: string, path: string): Promise<Json | undefined> {
  const answer = await fetch(`${url}/scores/v1/${path}`).catch(() => undefined);
  return answer?.status === 200 ? ((await answer.json()) as Json) : undefined;
}

/** Runs an indexer in a folder while `work` is done, then ends it as Ctrl-C would. */
export async function serving(
  folder: TestFolder,
  args: readonly string[],
  work: (url: string) => Promise<void>,
): Promise<CliResult> {
  const stopping = new AbortController();
  const port = await freePort();
  const running = folder.cli(["indexer", "--port", String(port), "--json", ...args], { signal: stopping.signal });
  try {
    const failUnlessStopped = async (): Promise<void> => {
      const { stderr } = await running;
      if (!stopping.signal.aborted) throw new Error(`the indexer ended: ${stderr}`);
    };
    await Promise.race([work(`http://127.0.0.1:${port}`), failUnlessStopped()]);
  } finally {
    stopping.abort();
  }
  return running;
}
