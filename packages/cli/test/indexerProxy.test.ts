import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openIndexer, tokensByCollection } from "@vipscore/indexer-client";
import { freePort } from "@vipscore/testkit/freePort";
import { started } from "@vipscore/testkit/started";
import { startPostgres, type StartedPostgres } from "@vipscore/testkit/startPostgres";
import { until } from "@vipscore/testkit/until";
import { killChildren, startChild, startCli, type Child } from "./childCli.ts";
import { alice, bob, Collectors } from "./collectors.ts";
import { startTestChain } from "./harness.ts";

/** Readers that each wait for an answer before they send the next request, and the requests of all. */
const readers = 50;
const requests = 2_000;

const docs = new URL("../../../docs/indexer.md", import.meta.url);
const chain = started(() => startTestChain());
let postgres: StartedPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  await killChildren();
  await postgres.stop();
});

/** Starts `vipscore indexer` and waits until it serves. */
async function startIndexer(database: string, port: number, ...args: readonly string[]): Promise<Child> {
  const child = startCli(["indexer", "--port", String(port), ...args], chain.cwd, { DATABASE_URL: database });
  let isOver = false;
  void child.ended.then(() => (isOver = true));
  await until(`an answer of ${args.join(" ")}`, async () => {
    if (isOver) throw new Error(child.output.stderr);
    return (await statusOf(port, "/healthz")) === 200 || undefined;
  });
  return child;
}

async function statusOf(port: number, path: string): Promise<number | undefined> {
  return (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined))?.status;
}

/** Asks over a connection that closes after the answer; returns its status. */
async function askOnce(url: string): Promise<number | undefined> {
  const [answer] = await once(get(url, { agent: false }), "response");
  answer.resume();
  await once(answer, "end");
  return answer.statusCode;
}

/** The documented configuration with free ports, and statistics. */
async function writeProxyFile(ports: Readonly<Record<string, number>>, statsPort: number): Promise<string> {
  const [, documented = ""] = /```haproxy\n([^]*?)```/.exec(await readFile(docs, "utf8")) ?? [];
  const used = new Set<string>();
  const text = documented.replaceAll(/(127\.0\.0\.1)?:(80\d\d)/g, (_all, _host, port: string) => {
    used.add(port);
    return `127.0.0.1:${ports[port]}`;
  });
  expect([...used].sort()).toEqual(Object.keys(ports).sort());
  return chain.write(
    "haproxy.cfg",
    `${text}\nlisten stats\n  bind 127.0.0.1:${statsPort}\n  stats enable\n  stats uri /\n`,
  );
}

/** Plays the chain's own indexer: it answers with a status of its own. */
async function startOwnIndexer(): Promise<{ readonly port: number } & AsyncDisposable> {
  const server = createServer((_request, response) => response.writeHead(418).end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const dispose = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, [Symbol.asyncDispose]: dispose };
}

test("two APIs behind a proxy answer every request while one is killed and the other is stopped", async () => {
  const database = await postgres.createDatabase("nfts");
  const collectors = await Collectors.deploy(chain);
  const minted = 150;
  const height = await collectors.mint(...Array.from({ length: minted }, () => alice));

  const early = startCli(["indexer", "--api-only", "--port", "0", "--json"], chain.cwd, { DATABASE_URL: database });
  expect(await early.ended).toBe(3);
  expect(early.output.stdout).toContain("DATABASE_INVALID");

  const [proxyPort, followerPort, port1, port2] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  await startIndexer(database, followerPort, "--follow-only");
  const listing = `/indexer/nft/v1/tokens/by_collection/${collectors.address}`;
  expect(await statusOf(followerPort, listing)).toBe(404);
  await until("the tokens", async () => {
    const answer = await fetch(`http://127.0.0.1:${followerPort}/status`);
    return ((await answer.json()) as { readonly height: number }).height >= height || undefined;
  });
  const apiArgs = ["--api-only", "--max-lag", "1000"];
  let api1 = await startIndexer(database, port1, ...apiArgs);
  const api2 = await startIndexer(database, port2, ...apiArgs);

  const statsPort = await freePort();
  await using own = await startOwnIndexer();
  const file = await writeProxyFile({ 8080: proxyPort, 8081: port1, 8082: port2, 8083: own.port }, statsPort);
  const configuration = join(chain.cwd, file);
  // Fails at once without HAProxy.
  await promisify(execFile)("haproxy", ["-c", "-f", configuration]);
  startChild(["haproxy", "-db", "-f", configuration], chain.cwd);
  await until("the proxy", async () => (await statusOf(proxyPort, "/readyz")) === 200 || undefined);

  const statsOf = async (server: string) => {
    const csv = await (await fetch(`http://127.0.0.1:${statsPort}/;csv`)).text();
    const [names = "", ...lines] = csv.split("\n");
    const line = lines.find((each) => each.startsWith(`apis,${server},`));
    return new Map(names.split(",").map((name, index) => [name, line?.split(",")[index]]));
  };
  const isUp = async (server: string) => (await statsOf(server)).get("status") === "UP" || undefined;

  expect(await statusOf(proxyPort, "/metrics")).toBe(403);
  await until(
    "the chain's own indexer",
    async () => (await statusOf(proxyPort, "/indexer/tx/v1/txs")) === 418 || undefined,
  );
  const scores = await fetch(`http://127.0.0.1:${proxyPort}/scores/v1/stages`);
  // The proxy's own answer does not have it.
  expect(scores.headers.get("x-content-type-options")).toBe("nosniff");
  await until("both APIs", async () => (await isUp("api1")) && (await isUp("api2")));
  const connectionsOf = async (server: string) => Number((await statsOf(server)).get("connect"));
  const connections = async () => (await connectionsOf("api1")) + (await connectionsOf("api2"));
  const before = await connections();
  for (let client = 0; client < readers; client += 1) {
    expect(await askOnce(`http://127.0.0.1:${proxyPort}${listing}`)).toBe(200);
  }
  const opened = (await connections()) - before;
  console.log(`${readers} clients, one after the other: the proxy opened ${opened} connections`);
  expect(opened).toBeLessThan(readers);

  /** What happens once so many requests were answered; the readers go on meanwhile. */
  const events = new Map<number, () => Promise<unknown>>([
    [400, async () => api1.process.kill("SIGKILL")],
    [500, () => collectors.mint(bob)],
    [800, async () => (api1 = await startIndexer(database, port1, ...apiArgs))],
    [
      1_200,
      async () => {
        // Not both at once.
        await until("the first API", () => isUp("api1"));
        api2.process.kill("SIGTERM");
      },
    ],
    [1_400, () => collectors.mint(bob)],
  ]);
  const happening: Promise<unknown>[] = [];
  let attempts = 0;
  const countingFetch: typeof fetch = (...args) => {
    attempts += 1;
    return fetch(...args);
  };
  const client = openIndexer(`http://127.0.0.1:${proxyPort}`, { fetch: countingFetch });
  const failures: unknown[] = [];
  let answered = 0;
  const stopped = { isDone: false };
  void api2.ended.then(() => (stopped.isDone = true));
  // Until enough requests were sent after the last event.
  let left = requests;
  const read = async (): Promise<void> => {
    while (left > 0 || !stopped.isDone) {
      left -= 1;
      try {
        const { items } = await tokensByCollection(client, collectors.address).page();
        expect(items).toHaveLength(100);
      } catch (error) {
        failures.push(error);
      }
      answered += 1;
      const event = events.get(answered);
      if (event !== undefined) happening.push(event());
    }
  };
  await Promise.all(Array.from({ length: readers }, read));
  await Promise.all(happening);
  const served = await Promise.all(["api1", "api2"].map(async (server) => (await statsOf(server)).get("stot")));
  console.log(
    `${answered} requests of ${readers} readers, ${failures.length} failed; ${attempts} attempts, of which api1 and api2 got ${served.join(" and ")}`,
  );
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThanOrEqual(requests);
  expect(await api2.ended).toBe(0);

  api1.process.kill("SIGTERM");
  expect(await api1.ended).toBe(0);
  await until("the proxy without an API", async () => {
    const answer = await fetch(`http://127.0.0.1:${proxyPort}${listing}`);
    await answer.text();
    return answer.status === 503 && answer.headers.get("retry-after") === "10";
  });
});
