import { lookup } from "node:dns";
import { request as requestHttp, type IncomingMessage, type RequestOptions } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import { onTestFinished, vi } from "vitest";
import { serve, type Handler, type HttpServer } from "./httpServer.ts";

/** Names of the public Internet, each with its handler or, if nothing may arrive there, its addresses. */
export type Hosts = Readonly<Record<string, Handler | readonly string[]>>;

/** The server that plays all of them. */
export interface PlayedHosts extends HttpServer {
  /** Number of requests of the client, also of those that have not arrived. */
  readonly begun: () => number;
}

interface PlayedOptions extends RequestOptions {
  readonly lookup: LookupFunction;
  readonly headers: Readonly<Record<string, string>>;
}

/** An address that the client takes for a public one; nothing is sent to it. */
const publicAddress = "93.184.215.14";

/**
 * Plays the servers of some names, on this machine and without TLS, until the test ends. Everything else is real: the
 * client's `lookup` checks the played addresses, and only what it accepts is connected, to this machine instead.
 *
 * @param ignoresLookup plays a platform that connects without it.
 */
export async function playHosts(hosts: Hosts, ignoresLookup = false): Promise<PlayedHosts> {
  const server = await serve((request, response, turn) => {
    const handler = hosts[request.headers.host ?? ""];
    if (typeof handler === "function") handler(request, response, turn);
    else response.destroy();
  });
  let begun = 0;
  const { port } = new URL(server.url);
  const playLookup = (name: string, options: object, found: Parameters<LookupFunction>[2]) => {
    const host = hosts[name];
    if (host === undefined) return lookup(name, { ...options, all: true }, found);
    const addresses = typeof host === "function" ? [publicAddress] : host;
    return found(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
  };
  const playRequest = (url: string, options: PlayedOptions, answer: (incoming: IncomingMessage) => void) => {
    begun += 1;
    const { host, pathname, search } = new URL(url);
    const toThisMachine: LookupFunction = (name, lookupOptions, found) => {
      const connect = (error: Error | null) => found(error, [{ address: "127.0.0.1", family: 4 }]);
      if (ignoresLookup) connect(null);
      else options.lookup(name, lookupOptions, connect);
    };
    const headers = { ...options.headers, host };
    return requestHttp({ ...options, host, port, path: pathname + search, headers, lookup: toThisMachine }, answer);
  };
  const getModule = process.getBuiltinModule.bind(process);
  const played: Readonly<Record<string, unknown>> = {
    "node:dns": { lookup: playLookup },
    "node:https": { request: playRequest },
  };
  const spy = vi.spyOn(process, "getBuiltinModule");
  spy.mockImplementation((name: string) => played[name] ?? getModule(name));
  onTestFinished(() => spy.mockRestore());
  return { ...server, begun: () => begun };
}
