import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** An address of the registry. */
export interface Door {
  readonly url: string;
  /** Returns the counts of what was served here until now. */
  readonly served: () => Served;
  readonly close: () => Promise<void>;
}

/** The requests and bytes that a registry served. */
export interface Served {
  readonly requests: number;
  /** As sent, with headers. */
  readonly bytes: number;
}

/** Opens a server on a free port of the loopback interface, and counts its requests and bytes. */
export async function openDoor(server: Server): Promise<Door> {
  let [requests, closedBytes] = [0, 0];
  const open = new Set<Socket>();
  server.on("request", () => (requests += 1));
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      closedBytes += socket.bytesWritten;
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    served: () => ({
      requests,
      bytes: [...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, closedBytes),
    }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
