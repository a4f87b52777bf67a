import { once } from "node:events";
import { createServer } from "node:http";
import type { Registry } from "prom-client";
import { InputError, systemErrorCode } from "@vipscore/core";

/** A server of metrics. */
export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves metrics in Prometheus' text format at `/metrics` on a port of 127.0.0.1; 0 picks a free port.
 *
 * @throws InputError `CONFIG_INVALID` when the port cannot be opened.
 */
export async function serveMetrics(registry: Registry, port: number): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (cause) {
    const code = systemErrorCode(cause);
    const reason = code === "EADDRINUSE" ? "is in use" : `cannot be opened (${code})`;
    throw new InputError(`--metrics-port: port ${port} of 127.0.0.1 ${reason}`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Choose another port, or 0 for a free one."],
      cause,
    });
  }
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
