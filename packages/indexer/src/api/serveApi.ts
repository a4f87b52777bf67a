import { once } from "node:events";
import { createServer, STATUS_CODES, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { VipError } from "@vipscore/core";
import type { Hono } from "hono";

/** Most bytes that a request's first line and headers may have; recorded from a real indexer, which answers 431 above. */
const maxHeaderBytes = 16 * 1024;

/** How long a connection may be idle, and a request take to arrive, in milliseconds. */
const slowestMs = 10_000;

/** How long an answer may take to be read by who asked, in milliseconds: a full page at some KB a second. */
const answerMs = 60_000;

/** How often connections are looked at that send a request slowly, in milliseconds. */
const lookMs = 1_000;

/** Most connections at once; further ones are closed. */
const maxConnections = 1_000;

/** How long requests under way may go on after `close`, in milliseconds. */
const closeGraceMs = 2000;

/** A server that answers. */
export interface ApiServer {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  /** Takes no more requests, lets those under way end for a moment, and closes every connection. */
  readonly close: () => Promise<void>;
}

/**
 * Serves the API over HTTP.
 *
 * @param host - Address to listen on.
 * @param port - 0 for any free one.
 * @throws VipError CONFIG_INVALID when it cannot listen there.
 */
export async function serveApi(options: {
  readonly api: Hono;
  readonly host: string;
  readonly port: number;
}): Promise<ApiServer> {
  const { api, host, port } = options;
  const listener = getRequestListener(api.fetch, {
    overrideGlobalObjects: false,
    // For requests of HTTP/1.0, which need not name a host.
    hostname: "localhost",
  });
  const limits = {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: slowestMs,
    requestTimeout: slowestMs,
    connectionsCheckingInterval: lookMs,
  };
  const server = createServer(limits, (request, response) => {
    const timer = setTimeout(() => response.destroy(), answerMs);
    response.once("close", () => clearTimeout(timer));
    void listener(request, response);
  });
  server.maxConnections = maxConnections;
  // Closes connections on which nothing moves, among them those of clients that do not read their answer.
  server.setTimeout(slowestMs);
  server.on("clientError", answerUnreadable);
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new VipError(`cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : "?"}`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Name an address of this machine and a port that nothing listens on; 0 takes any free one."],
      cause: error,
    });
  }
  return { url: urlOf(server), close: () => close(server) };
}

/** Answers what is no HTTP request, or has too much before its body. */
function answerUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const body = STATUS_CODES[status] ?? "";
  const headers = ["content-type: text/plain; charset=utf-8", `content-length: ${body.length}`, "connection: close"];
  socket.end(`HTTP/1.1 ${status} ${body}\r\n${headers.join("\r\n")}\r\n\r\n${body}`);
}

function urlOf(server: Server): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has no other kind of address
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const grace = setTimeout(() => server.closeAllConnections(), closeGraceMs);
  await closed;
  clearTimeout(grace);
}
