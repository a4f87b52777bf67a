import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A node that makes up its answers, so that it may have any number of blocks. */
export interface PlayedAnswers {
  /** The answer to the body of a request. */
  readonly answer: (body: string) => string;
}

/** A server that runs until it is closed. */
export interface PlayedServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves a node over HTTP on 127.0.0.1. Unlike `script`, it keeps no request in memory. */
export async function servePlayed(node: PlayedAnswers): Promise<PlayedServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(node.answer(Buffer.concat(chunks).toString()));
    });
  });
  // On a busy machine, a reader would use connections that are being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections());
  return { url: `http://127.0.0.1:${port}`, close };
}

/** A call of JSON-RPC. */
export interface PlayedCall {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** Answers the body of a JSON-RPC request, one call or a batch, call by call. */
export function answerCalls(body: string, answer: (call: PlayedCall) => string): string {
  const asked = JSON.parse(body) as PlayedCall | readonly PlayedCall[];
  return "method" in asked ? answer(asked) : `[${asked.map((call) => answer(call)).join(",")}]`;
}
