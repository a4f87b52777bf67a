// Days of a watch at the speed of a local node, on an endpoint that fails now and then.
import { readdir, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { VipError, type Vm } from "@vipscore/core";
import { startHardhat, startVipnode, testAccounts, type LocalNode } from "@vipscore/localnet";
import { collectGarbage } from "@vipscore/testkit/collectGarbage";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { hangBoundOf } from "@vipscore/testkit/hangBound";
import { run } from "../src/index.ts";
import { csvOf, openTestFolder, type JsonObject } from "../test/harness.ts";
import { TestClock } from "../test/watchHarness.ts";

/** At night, when FUZZ_FACTOR is 10, a week of one round a minute. */
const rounds = fuzzRuns(1_000);
const intervalMs = 60_000;
/** Every so many rounds the file changes. */
const roundsPerChange = 10;
const requestsPerFault = 200;
/** A round that writes records its run, its transaction, and what became of it. */
const journalBytesPerChange = 1_000;
/** What compiled code and caches may still add. */
const heapGrowth = 32 * 1024 * 1024;

const nodes: Readonly<Record<Vm, () => Promise<LocalNode>>> = {
  evm: () => startHardhat(),
  move: () => startVipnode({ vm: "move" }),
  wasm: () => startVipnode({ vm: "wasm" }),
};

/** The clock of a watch that waits for nobody: a pause is over at once, after `between`. */
class QuickClock extends TestClock {
  readonly pauses: number[] = [];
  readonly #between: () => Promise<void>;

  constructor(between: () => Promise<void>) {
    super();
    this.#between = between;
  }

  override async pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.pauses.push(milliseconds);
    await this.#between();
    signal.throwIfAborted();
    this.advance(milliseconds);
  }
}

/** Starts an endpoint that passes requests on, except for one in so many, and keeps none of them. */
async function startFaultyEndpoint(
  vm: Vm,
  node: LocalNode,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const upstream = vm === "move" && "restUrl" in node ? String(node.restUrl) : node.rpcUrl;
  let requests = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray());
      requests += 1;
      if (requests % (2 * requestsPerFault) === 0) return response.destroy();
      if (requests % requestsPerFault === 0) return response.writeHead(502).end();
      const { method = "GET", url = "/", headers } = request;
      const height = headers["x-cosmos-block-height"];
      const answer = await fetch(new URL(url, upstream), {
        method,
        headers: {
          "content-type": "application/json",
          ...(typeof height === "string" && { "x-cosmos-block-height": height }),
        },
        ...(method === "GET" ? {} : { body }),
      });
      return response.writeHead(answer.status).end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

test.each(["evm", "move", "wasm"] as const)(
  "%s: memory stays flat, every interval is kept, and the journal grows with the writes alone",
  async (vm) => {
    const node = await nodes[vm]();
    await using folder = await openTestFolder(node);
    const contract = await folder.deploy();
    await folder.write("scores.csv", csvOf(3));
    const interruption = new AbortController();
    const heap: number[] = [];
    let written = 0;
    let last: JsonObject = {};
    const between = async (): Promise<void> => {
      const round = Number(last["round"]);
      if (round === rounds) return interruption.abort(new VipError("over", { code: "INTERRUPTED" }));
      if (round % roundsPerChange === 0) await folder.write("scores.csv", csvOf(3, 2_000 + round));
      if (round % Math.ceil(rounds / 10) !== 0) return;
      await collectGarbage();
      heap.push(process.memoryUsage().heapUsed);
    };
    const clock = new QuickClock(between);
    const onRound = (text: string): void => {
      const object = JSON.parse(text) as JsonObject;
      if (object["round"] === undefined) return;
      expect(object).toMatchObject({
        round: Number(last["round"] ?? 0) + 1,
        outcome: "ok",
        verification: { agrees: true },
      });
      written += (object["transactions"] as readonly unknown[]).length;
      last = object;
    };
    const { url: endpoint, close } = await startFaultyEndpoint(vm, node);
    onTestFinished(close);
    const args = ["--vm", vm, "--endpoint", endpoint, "--contract", contract, "--interval", `${intervalMs / 1000}s`];
    const status = await run(["watch", "scores.csv", "--stage", "1", "--json", ...args], {
      stdin: Object.assign(new PassThrough(), { isTTY: false }),
      stdout: { write: onRound },
      stderr: { write: () => undefined },
      env: { PRIVATE_KEY: testAccounts.deployer.privateKey },
      cwd: folder.cwd,
      signal: interruption.signal,
      clock,
    });
    expect(status).toBe(130);
    expect(last).toMatchObject({ round: rounds });
    expect(clock.pauses).toHaveLength(rounds);
    expect(new Set(clock.pauses)).toEqual(new Set([intervalMs]));
    expect(written).toBe(Math.ceil(rounds / roundsPerChange));
    const [first = 0] = heap;
    expect((heap.at(-1) ?? 0) - first).toBeLessThan(heapGrowth);
    const journals = join(folder.cwd, ".vipscore", "journal");
    const names = (await readdir(journals)).filter((name) => name.endsWith(".jsonl"));
    expect(names).toHaveLength(1);
    const { size } = await stat(join(journals, names[0] ?? ""));
    expect(size).toBeLessThan((written + 1) * journalBytesPerChange);
    const mebibytes = heap.map((bytes) => Math.round(bytes / 1024 / 1024));
    console.log(`${vm}: ${rounds} rounds, ${written} writes, heap ${mebibytes.join(" ")} MiB, journal ${size} bytes`);
  },
  hangBoundOf(rounds),
);
