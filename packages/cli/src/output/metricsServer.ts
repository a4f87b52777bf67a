import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Registry } from "prom-client";
import { InputError, systemErrorCode } from "@vipscore/core";
import type { Output } from "./output.ts";

/** Address of a server. */
export interface Listening {
  readonly host: string;
  readonly port: number;
}

/** A running server. */
export interface MetricsServer {
  readonly stop: () => Promise<void>;
}

/** Serves `/metrics` and `/healthz`, and prints the URL; port 0 picks a free one. */
export async function serveMetrics(output: Output, registry: Registry, at: Listening): Promise<MetricsServer> {
  const server = await listen(registry, at);
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : at.port;
  const host = at.host.includes(":") ? `[${at.host}]` : at.host;
  output.note(output.paintNote("dim", `metrics   http://${host}:${bound}/metrics`));
  const stop = async (): Promise<void> => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  };
  return { stop };
}

async function listen(registry: Registry, { host, port }: Listening): Promise<Server> {
  const server = createServer(({ url, method }, response) => {
    const path = method === "GET" || method === "HEAD" ? url : undefined;
    if (path === "/healthz") {
      response.writeHead(200, { "content-type": "text/plain" }).end("ok");
      return;
    }
    if (path !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    const code = systemErrorCode(cause);
    const reason = code === "EADDRINUSE" ? "is in use" : `cannot be opened (${code})`;
    throw new InputError(`--metrics-port: port ${port} of ${host} ${reason}`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Choose another port, or 0 for a free one, and an address of this machine."],
      cause,
    });
  }
  return server;
}
