import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { expect, test } from "vitest";
import { isLong } from "@vipscore/testkit/isLong";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import { startPostgres } from "@vipscore/testkit/startPostgres";
import { until } from "@vipscore/testkit/until";
import { compileOddNfts } from "./evm/compileOddNfts.ts";
import { Wallet } from "./evm/wallet.ts";

/** As many as a hostile contract can create, or few enough for every run. */
const [emptyLogs, manyMints, longUris] = isLong ? [160_000, 100_000, 3_000] : [40_000, 3_000, 60];
const uriBytes = 1_000_000;
const mostRssKib = 1_048_576;
const owner = `0x${"a1".repeat(20)}` as const;

/** A line of {@link file://./indexerProcess.ts}. */
interface Line {
  readonly type: string;
  readonly url?: string;
  readonly code?: string;
  readonly maxRssKib?: number;
}

/** An indexer in a separate process. */
interface Running {
  readonly child: ChildProcess;
  readonly lines: readonly Line[];
  readonly ended: Promise<unknown>;
}

function start(rpcUrl: string, database: string): Running {
  const program = join(import.meta.dirname, "indexerProcess.ts");
  const child = spawn(process.execPath, ["--conditions=@vipscore/source", program, rpcUrl, database], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: Line[] = [];
  createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line) as Line));
  return { child, lines, ended: once(child, "exit") };
}

/** Kills one of the server's connections; PostgreSQL then closes all others, recovers, and restarts. */
async function restartDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ readonly pid: number }>("select pg_backend_pid() as pid");
  const closed = new Promise<void>((resolve) => void client.once("end", resolve));
  process.kill(rows[0]!.pid, "SIGKILL");
  await closed;
}

test("an indexer follows a hostile chain through restarts of its database, and refuses a second one on the same database", async () => {
  const node = await startAnvil();
  const server = await startPostgres();
  const database = await server.createDatabase("hostile");
  const running: Running[] = [];
  const run = (): Running => {
    const indexer = start(node.rpcUrl, database);
    running.push(indexer);
    return indexer;
  };
  try {
    const gas = 1_900_000_000n;
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "evm_setBlockGasLimit",
      params: [`0x${gas.toString(16)}`],
    });
    await fetch(node.rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
    const wallet = new Wallet(node.rpcUrl, gas);
    const contract = await wallet.deploy((await compileOddNfts())["Hostile"]!);
    const first = run();
    const serves = async ({ lines, child }: Running): Promise<string> =>
      until("an indexer that serves", () => {
        if (child.exitCode !== null) throw new Error(`the indexer ended: ${JSON.stringify(lines.at(-1))}`);
        return lines.find(({ type }) => type === "serves")?.url;
      });
    let url = await serves(first);
    const read = async (path: string): Promise<Record<string, unknown>> => {
      const newest = running.find(({ child }) => child.exitCode === null && child.signalCode === null);
      if (newest === undefined) throw new Error(`the indexer ended: ${JSON.stringify(running.at(-1)?.lines.at(-1))}`);
      // A server may close a kept-alive connection just as it is reused.
      const response = await fetch(url + path).catch(() => undefined);
      return response?.ok === true ? ((await response.json()) as Record<string, unknown>) : {};
    };
    const tokens = `/indexer/nft/v1/tokens/by_collection/${contract.address}`;
    let minted = 0;
    const mint = async (count: number): Promise<void> => {
      await contract.fill("mintMany", owner, BigInt(minted + 1), BigInt(count));
      minted += count;
    };
    const untilListed = () =>
      until(`${minted} tokens in the listing`, async () => {
        const { pagination } = (await read(`${tokens}?pagination.limit=1`)) as { pagination?: { total: string } };
        return pagination?.total === String(minted);
      });

    await contract.fill("emitEmpty", BigInt(emptyLogs));
    await mint(manyMints);
    await contract.send("setUriBytes", BigInt(uriBytes));
    await mint(longUris);
    await untilListed();
    for (let restarts = 0; restarts < 3; restarts += 1) {
      await restartDatabase(database);
      await mint(10);
      await untilListed();
    }

    const second = run();
    await second.ended;
    expect(second.child.exitCode).toBe(3);
    expect(second.lines).toContainEqual({ type: "ended", code: "DATABASE_IN_USE" });
    await mint(10);
    await untilListed();
    first.child.kill("SIGKILL");
    await first.ended;
    url = await serves(run());
    await mint(10);
    await untilListed();

    await until("all URIs", async () => (await read("/status"))["pending_uris"] === 0);
    const last = Buffer.alloc(uriBytes);
    last.writeUInt32BE(minted, 28);
    const digest = `sha256:${createHash("sha256").update(last).digest("hex")};bytes=${uriBytes}`;
    expect(await read(`${tokens}?token_id=${minted}`)).toMatchObject({ tokens: [{ nft: { uri: digest } }] });
    // Each has U+0000, and is too long with U+FFFD in their place.
    expect(await read("/status")).toMatchObject({ left_out: minted - manyMints });
    const mostKib = Math.max(...running.flatMap(({ lines }) => lines.map(({ maxRssKib = 0 }) => maxRssKib)));
    console.log(`${emptyLogs} logs, ${minted} tokens: at most ${Math.round(mostKib / 1024)} MiB of memory`);
    expect(mostKib).toBeLessThanOrEqual(mostRssKib);
  } finally {
    for (const { child } of running) child.kill("SIGKILL");
    for (const { ended } of running) await ended;
    await node.stop();
    await server.stop();
  }
});
