import { connect, type Socket } from "node:net";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { mixes } from "./indexerMixes.ts";

/** Readers that each wait for an answer before they send the next request. */
const readers = 50;

/** Seed of the requests. */
const seed = 36;

/** The requests to send. */
export interface LoadOrder {
  /** A name of `mixes`. */
  readonly mix: string;
  readonly requests: number;
}

/** The answers to an order. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Time of a request, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly bytesPerAnswer: number;
  /** CPU time of the readers, in seconds. */
  readonly cpuSeconds: number;
}

/**
 * A separate process that loads a server: `indexerLoad <url> <tokens>`. Sends a {@link LoadResult} to its parent for each
 * {@link LoadOrder}, and ends with it. Writes and reads sockets itself, so that the readers take little time from the server.
 */
const [, , url = "", tokens] = process.argv;
const { hostname, port, host } = new URL(url);
process.on("message", (order: LoadOrder) => {
  void load(order).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit(0));

async function load({ mix: name, requests }: LoadOrder): Promise<LoadResult> {
  const mix = mixes[name];
  if (mix === undefined) throw new RangeError(`"${name}" is not a mix`);
  const random = seededRandom(seed);
  const paths = Array.from({ length: requests }, () => mix(random, Number(tokens)));
  const times: number[] = [];
  let bytes = 0;
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const read = async (): Promise<void> => {
    const socket = connect(Number(port), hostname);
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const sent = performance.now();
      const size = await ask(socket, path);
      bytes += size;
      times.push(performance.now() - sent);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: readers }, read));
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    requestsPerSecond: requests / seconds,
    p50: at(0.5),
    p99: at(0.99),
    bytesPerAnswer: bytes / requests,
    cpuSeconds: (user + system) / 1_000_000,
  };
}

/** Sends a request and reads its answer without parsing it; returns the size of its body. @throws Error if it is not 200. */
function ask(socket: Socket, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = "";
    let body = 0;
    let length: number | undefined;
    const settle = (error?: Error) => {
      socket.removeAllListeners();
      if (error) reject(error);
      else resolve(body);
    };
    socket.on("data", (chunk: Buffer) => {
      body += chunk.length;
      if (length === undefined) {
        head += chunk.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end === -1) return;
        if (!head.startsWith("HTTP/1.1 200 ")) return settle(new Error(`${head.slice(0, 15)} for ${path}`));
        length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]);
        if (Number.isNaN(length)) return settle(new Error(`no content-length for ${path}`));
        body = head.length - end - 4;
      }
      if (body >= length) settle();
    });
    socket.once("error", settle);
    socket.once("close", () => settle(new Error(`the server closed the connection before ${path}`)));
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  });
}
