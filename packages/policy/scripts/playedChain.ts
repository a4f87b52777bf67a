import { createServer } from "node:http";
import { PlayedLogs } from "@vipscore/testkit/playedLogs";

/** A node that plays an EVM chain in this process, beside the commands that are measured. */
export interface PlayedChain {
  readonly url: string;
  /** The newest block. */
  readonly height: number;
  readonly close: () => Promise<void>;
}

/** Starts a node that has as many events. */
export async function playChain(events: number): Promise<PlayedChain> {
  const played = new PlayedLogs(events);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => response.end(played.answer(Buffer.concat(chunks).toString())));
  });
  // On a busy machine, a command would use connections that are being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the played node has no port");
  return { url: `http://127.0.0.1:${address.port}`, height: played.height, close };
}
