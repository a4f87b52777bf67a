import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Answers one request in any way that HTTP allows. */
export type Handler = (request: IncomingMessage, response: ServerResponse, turn: number) => void;

const running: Server[] = [];

/** A server for answers that a scripted one cannot give: parts of a body, cut connections, other content types. */
export interface HttpServer {
  readonly url: string;
  /** The path and query of each request so far. */
  readonly requests: readonly string[];
  /** Number of answers that the client cut off before their end. */
  readonly leftEarly: () => number;
}

/** Starts a server on a free port of this machine; runs until {@link stopServers}, at the latest until the test ends. */
export async function serve(handler: Handler): Promise<HttpServer> {
  const requests: string[] = [];
  let leftEarly = 0;
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.on("close", () => {
      if (!response.writableFinished) leftEarly += 1;
    });
    handler(request, response, requests.length - 1);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  running.push(server);
  onTestFinished(stopServers);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, leftEarly: () => leftEarly };
}

/** Stops all servers of a test. */
export async function stopServers(): Promise<void> {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

/** Answers with JSON, as an indexer does. */
export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Answers with an error, as an indexer does. */
export function sendText(
  response: ServerResponse,
  status: number,
  text = "",
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(text);
}

/** The error of a promise that is expected to fail. */
export const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no error",
    (error: unknown) => error,
  );
