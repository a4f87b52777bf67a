import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** Returns a port of 127.0.0.1 on which nothing currently listens. */
export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, "close");
  return port;
}
