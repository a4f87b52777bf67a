import { Agent, get } from "node:http";
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
 * {@link LoadOrder}, and ends with it. Orders use the same connections, one for each reader.
 */
const [, , url = "", tokens] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: readers });
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
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const sent = performance.now();
      bytes += await ask(path);
      times.push(performance.now() - sent);
    }
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

/** Reads an answer without parsing it; returns the size of its body. @throws Error if it is not 200. */
function ask(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url + path, { agent }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.once("error", reject);
      response.once("end", () => {
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`status ${response.statusCode} for ${path}`));
      });
    });
    request.once("error", reject);
  });
}
