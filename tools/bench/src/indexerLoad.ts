import { Agent, get } from "node:http";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { mixes, type Mix } from "./indexerMixes.ts";

/** Readers that each wait for an answer before they send the next request. */
const readers = 50;

/** Seed of the requests. */
const seed = 36;

/** Result of one mix. */
export interface MixResult {
  readonly mix: string;
  readonly requestsPerSecond: number;
  /** Time of a request, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly bytesPerAnswer: number;
}

/**
 * A separate process that loads a server with one mix after the other: `indexerLoad <url> <tokens> <requests>`. Sends a
 * {@link MixResult} to its parent after each mix, which half as many requests precede that are not measured.
 */
const [, , url = "", tokens, requests] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: readers });
for (const [name, mix] of Object.entries(mixes)) {
  await load(mix, Math.ceil(Number(requests) / 2));
  const started = performance.now();
  const answers = await load(mix, Number(requests));
  const seconds = (performance.now() - started) / 1_000;
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0);
  const result: MixResult = {
    mix: name,
    requestsPerSecond: answers.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    bytesPerAnswer: bytes / answers.length,
  };
  process.send?.(result);
}
agent.destroy();
process.disconnect();

interface LoadAnswer {
  readonly ms: number;
  readonly bytes: number;
}

/** Sends the requests from all readers at once. @throws Error for an answer other than 200. */
async function load(mix: Mix, count: number): Promise<readonly LoadAnswer[]> {
  const random = seededRandom(seed);
  const paths = Array.from({ length: count }, () => mix(random, Number(tokens)));
  const answers: LoadAnswer[] = [];
  const read = async (): Promise<void> => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) answers.push(await ask(path));
  };
  await Promise.all(Array.from({ length: readers }, read));
  return answers;
}

/** Reads an answer without parsing it, so that the readers take little time from the server. */
function ask(path: string): Promise<LoadAnswer> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url + path, { agent }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.once("error", reject);
      response.once("end", () => {
        if (response.statusCode === 200) resolve({ ms: performance.now() - started, bytes });
        else reject(new Error(`status ${response.statusCode} for ${path}`));
      });
    });
    request.once("error", reject);
  });
}
