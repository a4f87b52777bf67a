import { execFile } from "node:child_process";
import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { serve } from "./httpServer.ts";

const asker = fileURLToPath(new URL("askLiar.ts", import.meta.url));
const json = { "content-type": "application/json" };
const block = Buffer.alloc(1 << 20, " ");
const compressed = gzipSync(block);
const tenGigabytes = 10 * 2 ** 30;
const times = tenGigabytes / block.length;

/** The cost of a request: the growth of the process's peak memory, in MiB. */
interface Cost {
  readonly code: string;
  readonly grownMiB: number;
}

/** Sends bytes repeatedly, as fast as the client reads them. */
function sendMany(response: ServerResponse, bytes: Buffer, count = times): void {
  let left = count;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(bytes)) return;
    }
    response.end();
  };
  response.on("drain", more);
  more();
}

/** Sends a few bytes from time to time, endlessly. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(" "), 50);
  response.on("close", () => clearInterval(timer));
}

test.each<[string, string, (response: ServerResponse) => void, number?]>([
  ["a body of 10 GB", "INDEXER_BAD_ANSWER", (response) => sendMany(response.writeHead(200, json), block)],
  [
    "a body of 10 GB with its length",
    "INDEXER_BAD_ANSWER",
    (response) => sendMany(response.writeHead(200, { ...json, "content-length": tenGigabytes }), block),
  ],
  [
    "10 GB compressed to 10 MB",
    "INDEXER_BAD_ANSWER",
    (response) => sendMany(response.writeHead(200, { ...json, "content-encoding": "gzip" }), compressed),
  ],
  [
    "a web page of 10 GB",
    "INDEXER_BAD_ANSWER",
    (response) => sendMany(response.writeHead(200, { "content-type": "text/html" }), block),
  ],
  [
    "an error of 10 GB",
    "INDEXER_BAD_REQUEST",
    (response) => sendMany(response.writeHead(400, { "content-type": "text/plain" }), block),
  ],
  ["a body that drips", "INDEXER_TIMEOUT", (response) => drip(response.writeHead(200, json)), 5_000],
])(
  "%s ends, with bounded memory",
  // Only an endless answer reaches the client's time limit.
  async (title, code, answer, timeoutMs = hangBoundMs) => {
    const server = await serve((request, response) => {
      if (request.method === "HEAD") response.end();
      else answer(response);
    });
    const run = [process.execPath, "--conditions=@vipscore/source", asker, server.url, String(timeoutMs)] as const;
    const { stdout } = await promisify(execFile)(run[0], run.slice(1));
    console.log(`${title}: ${stdout.trim()}`);
    const cost = JSON.parse(stdout) as Cost;
    expect(cost.code).toBe(code);
    // An answer may have 64 MiB, plus what is in transit.
    expect(cost.grownMiB).toBeLessThan(256);
    await expect.poll(() => server.leftEarly() > 0).toBe(true);
  },
);
