import { once } from "node:events";
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { VipError } from "@vipscore/core";
import { times } from "../times.ts";
import type { Api } from "./createApi.ts";

/** Maximum bytes of a request's first line and headers, recorded from a real indexer, which answers 431 above. */
const maxHeaderBytes = 16 * 1024;

/** Maximum connections at once; further connections are closed. */
const maxConnections = 1_000;

/** A running server. */
export interface ApiServer {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  /** Accepts no more connections, answers the requests on open ones, up to 10 s long, and closes every connection. */
  readonly close: () => Promise<void>;
}

/**
 * Serves the API over HTTP.
 *
 * @param options - `host` is the address to listen on, `port` 0 takes any free port.
 * @throws VipError CONFIG_INVALID if it cannot listen there.
 */
export async function serveApi(options: {
  readonly api: Hono | Api;
  readonly host: string;
  readonly port: number;
}): Promise<ApiServer> {
  const { api, host, port } = options;
  const listener = getRequestListener(api.fetch, {
    overrideGlobalObjects: false,
    // For HTTP/1.0 requests, which may lack a host.
    hostname: "localhost",
  });
  const limits = {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: times.requestMs,
    requestTimeout: times.requestMs,
    connectionsCheckingInterval: times.checkConnectionsMs,
    keepAliveTimeout: times.requestMs,
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if ("answerKept" in api && (await api.answerKept(request, response))) return;
    await listener(request, response);
  };
  const pending = new Set<ServerResponse>();
  const server = createServer(limits, (request, response) => {
    pending.add(response);
    if (!server.listening) endConnection(response);
    const timer = setTimeout(() => response.destroy(), times.answerMs);
    response.once("close", () => {
      clearTimeout(timer);
      pending.delete(response);
    });
    void answer(request, response);
  });
  server.maxConnections = maxConnections;
  // Closes stalled connections, including those of clients that do not read their answer.
  server.setTimeout(times.requestMs);
  server.on("clientError", answerUnreadable);
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new VipError(`cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : "?"}`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Use an address of this machine and a port that nothing listens on; 0 picks a free port."],
      cause: error,
    });
  }
  return { url: urlOf(server), close: () => closeServer(server, pending) };
}

/** Answers input that is not an HTTP request, or has too large headers. */
function answerUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const body = STATUS_CODES[status] ?? "";
  const headers = ["content-type: text/plain; charset=utf-8", `content-length: ${body.length}`, "connection: close"];
  // The end alone leaves the connection open as long as the client sends.
  socket.write(`HTTP/1.1 ${status} ${body}\r\n${headers.join("\r\n")}\r\n\r\n${body}`);
  socket.destroySoon();
}

function urlOf(server: Server): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has no other kind of address
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

async function closeServer(server: Server, pending: ReadonlySet<ServerResponse>): Promise<void> {
  const closed = once(server, "close");
  server.close();
  for (const response of pending) endConnection(response);
  server.closeIdleConnections();
  const grace = setTimeout(() => server.closeAllConnections(), times.closeMs);
  await closed;
  clearTimeout(grace);
}

/** Asks the client to send its next request on another connection. */
function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}
