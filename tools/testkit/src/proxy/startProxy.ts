import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A request that a server received. */
export interface ProxyRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer to a request. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the client gets: an answer, the end of its connection, its reset, or nothing. */
export type Reply = ProxyAnswer | "cut" | "reset" | "silence";

/** A server on 127.0.0.1. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Cuts all connections, and closes the port for a time. */
  readonly restart: (downMs: number) => void;
  /** Cuts all connections and frees the port. */
  readonly close: () => Promise<void>;
}

/** Maximum number of attempts to open a closed port that another program took for a moment. */
const maxOpenings = 100;

/**
 * Starts a server that replies to each request as a function says, which may {@link forward} it to a node. An error of the
 * function ends the connection.
 *
 * @param reply - `left` aborts when the client leaves.
 */
export async function startProxy(
  reply: (request: ProxyRequest, left: AbortSignal) => Reply | Promise<Reply>,
): Promise<Proxy> {
  const server = createServer((message, response) => {
    const left = new AbortController();
    response.once("close", () => left.abort());
    const serve = async (): Promise<void> => {
      const replied = await reply(await readRequest(message), left.signal);
      if (replied === "reset") response.socket?.resetAndDestroy();
      else if (replied === "cut") response.destroy();
      else if (replied !== "silence") response.writeHead(replied.status, replied.headers).end(replied.body);
    };
    serve().catch(() => response.destroy());
  });
  // On a busy machine, a client would use connections that are being closed.
  server.keepAliveTimeout = 0;
  const port = await listen(server, 0);
  let isClosed = false;
  let reopening: Promise<void> | undefined;
  const restart = (downMs: number): void => {
    if (reopening !== undefined) return;
    server.close();
    server.closeAllConnections();
    const reopen = async (): Promise<void> => {
      await delay(downMs);
      if (!isClosed) await listen(server, port);
      reopening = undefined;
    };
    reopening = reopen();
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    await reopening;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return { url: `http://127.0.0.1:${port}`, restart, close, [Symbol.asyncDispose]: close };
}

async function listen(server: Server, port: number): Promise<number> {
  for (let opening = 1; ; opening += 1) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => {
          server.off("error", reject);
          resolve();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (opening === maxOpenings) throw error;
      await delay(10);
    }
  }
}

async function readRequest(message: IncomingMessage): Promise<ProxyRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)] as const);
  const { method = "GET", url: path = "/" } = message;
  return { method, path, headers: Object.fromEntries(headers), body: Buffer.concat(chunks).toString() };
}

/** Sends a request unchanged to a node. */
export async function forward(
  upstreamUrl: string,
  { method, path, headers, body }: ProxyRequest,
): Promise<ProxyAnswer> {
  const response = await fetch(upstreamUrl.replace(/\/$/, "") + path, {
    method,
    headers: nodeHeaders((name) => headers[name]),
    ...(method === "GET" ? {} : { body }),
  });
  const answered = nodeHeaders((name) => response.headers.get(name) ?? undefined);
  return { status: response.status, headers: answered, body: await response.text() };
}

/** The headers that the nodes' interfaces use; all others belong to the connection. */
function nodeHeaders(valueOf: (name: string) => string | undefined): Record<string, string> {
  const names = ["content-type", "x-cosmos-block-height", "grpc-metadata-x-cosmos-block-height"];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = valueOf(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

export function jsonAnswer(body: unknown, status = 200): ProxyAnswer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/**
 * Starts a proxy that runs `act` right before it forwards the first request of a kind, so that the request meets the state that
 * `act` left.
 *
 * @param upstreamUrl - The node's endpoint: JSON-RPC, REST or CometBFT's RPC.
 * @param isMoment - Chooses the request; {@link handsOver} for the first transaction.
 * @param act - Awaited before the request is forwarded; its error fails that request.
 */
export function startActingProxy(
  upstreamUrl: string,
  isMoment: (request: ProxyRequest) => boolean,
  act: () => Promise<void>,
): Promise<Proxy> {
  let hasActed = false;
  return startProxy(async (request) => {
    if (!hasActed && isMoment(request)) {
      hasActed = true;
      await act();
    }
    return forward(upstreamUrl, request);
  });
}

/** Returns whether a request broadcasts a transaction, in any node's protocol. */
export function handsOver({ method, path, body }: ProxyRequest): boolean {
  if (method !== "POST") return false;
  return path.startsWith("/cosmos/tx/v1beta1/txs") || /"(eth_sendRawTransaction|broadcast_tx_sync)"/.test(body);
}
