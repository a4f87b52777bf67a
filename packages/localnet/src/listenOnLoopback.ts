import type { Server } from "node:http";
import { checkPort, portInUse } from "./localNode.ts";

/** A server on 127.0.0.1. */
export interface LoopbackServer {
  readonly url: string;
  /** Refuses new requests, drops open connections, frees the port. */
  close(): Promise<void>;
}

/** Lets a server listen on 127.0.0.1; port 0 is any free port. @throws CONFIG_INVALID if the port is invalid or in use. */
export async function listenOnLoopback(server: Server, port: number): Promise<LoopbackServer> {
  checkPort(port);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? portInUse(port, error) : error);
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server that listens has a port");
  return { url: `http://127.0.0.1:${address.port}`, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // The callback's only error is that the server is already closed, which is fine.
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
