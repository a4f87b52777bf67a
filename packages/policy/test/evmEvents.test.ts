import { appendFile, cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeAbiParameters, pad, parseAbiItem, toEventSelector } from "viem";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deployEmitter, type Emitter } from "@vipscore/testkit/eventEmitter";
import { playHardhat } from "@vipscore/testkit/playHardhat";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import {
  openPolicyChain,
  openRollupNode,
  openSources,
  readPolicy,
  runPolicy,
  type PolicyChain,
  type PolicyResult,
} from "../src/index.ts";
import { alice, bob, openPolicyFolder, type PolicyFolder } from "./policyFolder.ts";

const traded = toEventSelector("Traded(address,uint256)");
const declaration = "Traded(address indexed trader, uint256 volume)";
const uint = (value: bigint) => pad(`0x${value.toString(16)}`);

const chain = playHardhat();
let emitter: Emitter;
let first: number;
let last: number;
let data: string;

beforeAll(async () => {
  emitter = await deployEmitter((method, params) => chain.request({ method, params }), 2);
  await emitter.emit(traded, pad(bob), uint(1_000n));
  await chain.request({ method: "evm_increaseTime", params: [60] });
  first = await emitter.emit(traded, pad(alice), uint(5n));
  await emitter.emit(toEventSelector("Other(address,uint256)"), pad(alice), uint(9n));
  await chain.request({ method: "hardhat_mine", params: ["0x4b0"] });
  last = await emitter.emit(traded, pad(bob), uint(10n ** 38n - 1n));
  // After the window, a minute later.
  await chain.request({ method: "evm_increaseTime", params: [60] });
  await emitter.emit(traded, pad(alice), uint(1n));
});
beforeEach(() => {
  data = temporaryFolder();
});

interface Source {
  readonly window?: string;
  readonly event?: string;
  readonly sql?: string;
  readonly contracts?: string;
  /** Further fields of the source. */
  readonly more?: string;
}

function openFolder({ window, event, sql, contracts, more = "" }: Source = {}): Promise<PolicyFolder> {
  return openPolicyFolder({
    "policy.toml": `name = "volume"
version = "1"

[rollup]
chain_id = "31337"

[window]
${window ?? `blocks = [${first}, ${last}]`}

[[source]]
name = "trades"
kind = "evm_events"
contracts = ["${contracts ?? emitter.address}"]
event = "${event ?? `event ${declaration}`}"
${more}
`,
    "policy.sql": sql ?? "select trader as address, least(sum(volume), 100) as score from trades group by trader",
  });
}

async function openChain(folder: PolicyFolder, options: Partial<PolicyChain> = {}) {
  const policy = await readPolicy(folder.path);
  const { signal } = new AbortController();
  const opened = await openPolicyChain(policy, { node: openRollupNode("evm", chain.url), folder: data, signal });
  return { policy, chain: { ...opened, ...options } };
}

async function run(source: Source = {}, options: Partial<PolicyChain> = {}): Promise<PolicyResult> {
  await using folder = await openFolder(source);
  const { policy, chain: opened } = await openChain(folder, options);
  return await runPolicy(policy, openSources(policy, opened));
}

test("scores the events of a window, and reads them from the chain once", async () => {
  const { table, sources } = await run();
  expect([...table]).toEqual([
    { account: alice, score: 5n },
    { account: bob, score: 100n },
  ]);
  const compared = { blocks: last - first + 1, compared: expect.any(Number) as number };
  const assumed = expect.stringContaining(declaration) as string;
  expect(sources).toEqual([
    { name: "trades", kind: "evm_events", rows: 2, digest: expect.any(String), compared, assumed },
  ]);
  expect(sources[0]?.compared?.compared).toBeGreaterThanOrEqual(256);
  chain.instead = (method) => {
    if (method === "eth_getLogs") throw new Error("the logs are stored");
    return undefined;
  };
  expect((await run()).sources).toEqual(sources);
});

/** Without how many blocks were compared, which depends on the parts that were read. */
const rowsIn = ({ sources }: PolicyResult) => sources.map((source) => ({ ...source, compared: undefined }));

test("has the same rows and digest in another folder and after a failure in the middle", async () => {
  const whole = await run();
  await rm(data, { recursive: true });
  const newest = first + 900;
  let hasLogs = false;
  // Behind a balancer whose other node is behind: parts that end before its newest block are complete.
  chain.instead = (method, [height]) => {
    hasLogs ||= method === "eth_getLogs";
    return hasLogs && method === "eth_getBlockByNumber" && Number(height) > newest ? null : undefined;
  };
  await expect(run()).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  const asked: number[] = [];
  chain.instead = (method, [filter]) => {
    if (method === "eth_getLogs") asked.push(Number((filter as { fromBlock: string }).fromBlock));
    return undefined;
  };
  const resumed = await run();
  // The part that failed has 500 blocks at most.
  expect(Math.min(...asked)).toBeGreaterThan(newest - 500);
  expect(rowsIn(resumed)).toEqual(rowsIn(whole));
  expect(resumed.table.digest()).toBe(whole.table.digest());
});

test("has the same scores and digests in another order of collection", async () => {
  const more = `[[source]]
name = "others"
kind = "evm_events"
contracts = ["${emitter.address}"]
event = "event Other(address indexed trader, uint256 volume)"`;
  const sql = `select trader as address, count(*) as score
    from (from trades union all from others) group by trader`;
  await using folder = await openFolder({ more, sql });
  const results: PolicyResult[] = [];
  for (const isReversed of [false, true]) {
    const opened = await openChain(folder, { folder: join(data, `${isReversed}`) });
    const sources = openSources(opened.policy, opened.chain);
    results.push(await runPolicy(opened.policy, isReversed ? sources.toReversed() : sources));
  }
  const [one, other] = results;
  expect(other?.table.digest()).toBe(one?.table.digest());
  expect(rowsIn(other!).toReversed()).toEqual(rowsIn(one!));
});

test("gives the columns of an event, whose rows are in the order of the chain", async () => {
  const { table } = await run({
    sql: `select trader as address,
      case when height = ${first} and time > 1600000000 and tx_index = 0 and event_index = 0
        and tx_hash like '0x%' and length(tx_hash) = 66 and contract = '${emitter.address}' then 1 else 0 end as score
      from trades where height = (select min(height) from trades)`,
  });
  expect([...table]).toEqual([{ account: alice, score: 1n }]);
});

test("a source can begin before the window, whose blocks are a table", async () => {
  const sql = `select trader as address, sum(volume // 1000 * (last_height - greatest(height, first_height) + 1)) as score
    from trades cross join policy_window where height <= first_height group by trader`;
  const { table } = await run({ sql, more: "start_height = 1" });
  expect([...table]).toEqual([
    { account: alice, score: 0n },
    { account: bob, score: BigInt(last - first + 1) },
  ]);
  await expect(run({ more: `start_height = ${first + 1}` })).rejects.toMatchObject({ code: "POLICY_INVALID" });
});

describe("a window of times", () => {
  async function timeOf(height: number): Promise<number> {
    const params = [`0x${height.toString(16)}`, false];
    return Number(
      ((await chain.request({ method: "eth_getBlockByNumber", params })) as { timestamp: string }).timestamp,
    );
  }
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");

  test("has the blocks from its start on and before its end", async () => {
    const window = `times = ["${iso(await timeOf(first))}", "${iso((await timeOf(last)) + 1)}"]`;
    await using folder = await openFolder({ window });
    const { chain: opened } = await openChain(folder);
    expect([opened.window.first.height, opened.window.last.height]).toEqual([first, last]);
  });

  test("must be over", async () => {
    const window = `times = ["${iso(await timeOf(first))}", "${iso((await timeOf(last)) + 900_000)}"]`;
    await expect(run({ window })).rejects.toMatchObject({ code: "WINDOW_OPEN" });
  });
});

test("a window of blocks must be over", async () => {
  await expect(run({ window: `blocks = [1, ${last + 1_000}]` })).rejects.toMatchObject({
    code: "WINDOW_OPEN",
    message: expect.stringMatching(/\bearlier\b.*\[window\]/) as string,
  });
});

describe("refuses", () => {
  test("a value beyond 38 digits, naming its place", async () => {
    const huge = await emitter.emit(traded, pad(alice), uint(10n ** 38n));
    await expect(run({ window: `blocks = [${huge}, ${huge}]` })).rejects.toMatchObject({
      code: "SOURCE_INVALID",
      shortMessage: expect.stringMatching(
        new RegExp(`^trades: event 0\\b.* 0x[0-9a-f]{64} .*\\bblock ${huge}: volume\\b.*\\b${10n ** 38n}\\b`),
      ),
    });
  });

  test("data that are too short", async () => {
    const short = await emitter.emit(traded, pad(alice));
    await expect(run({ window: `blocks = [${short}, ${short}]` })).rejects.toMatchObject({ code: "SOURCE_INVALID" });
  });

  test("another chain", async () => {
    chain.instead = (method) => (method === "eth_chainId" ? "0x2" : undefined);
    await expect(run()).rejects.toMatchObject({ code: "CHAIN_MISMATCH" });
  });

  test("stored data of a chain that was reset", async () => {
    await run();
    chain.instead = (method, params) =>
      method === "eth_getBlockByNumber" && params[0] !== "latest"
        ? { number: params[0], hash: uint(1n), timestamp: "0x6553f100", transactions: [] }
        : undefined;
    await expect(run()).rejects.toMatchObject({ code: "CHAIN_RESTARTED" });
  });

  test.each(["rows/part", "reversed/part", "digests/part", "parts.jsonl"])("a damaged %s", async (name) => {
    await run();
    const [folder = ""] = await readdir(data);
    const names = await readdir(join(data, folder), { recursive: true });
    await writeFile(join(data, folder, names.find((found) => found.startsWith(name)) ?? ""), "{}\n");
    await expect(run()).rejects.toMatchObject({ code: "DATA_INVALID" });
  });

  test.each([
    ["an event that is not one", { event: "function traded()" }],
    ["an event without names", { event: "event Traded(address indexed, uint256)" }],
    ["a parameter with a name of a column", { event: "event Traded(address indexed trader, uint256 height)" }],
    ["an address that is too short", { contracts: "0x12" }],
    ["a window of times in local time", { window: 'times = ["2026-11-01T00:00:00", "2026-11-02T00:00:00"]' }],
  ])("%s", async (_, source) => {
    await expect(run(source)).rejects.toMatchObject({ code: "POLICY_INVALID" });
  });
});

test("drops a line that a kill cut off", async () => {
  const whole = await run();
  const [folder = ""] = await readdir(data);
  await appendFile(join(data, folder, "parts.jsonl"), '{"first":12');
  expect((await run()).sources).toEqual(whole.sources);
  expect((await run()).sources).toEqual(whole.sources);
});

test("does not believe a list that somebody put there, which leaves out rows", async () => {
  const whole = await run();
  const [folder = ""] = await readdir(data);
  const path = join(data, folder);
  await cp(path, `${path}-copy`, { recursive: true });
  await rm(path, { recursive: true });
  await rename(`${path}-copy`, path);
  const list = join(path, "parts.jsonl");
  const parts = (await readFile(list, "utf8")).trim().split("\n");
  const none = parts.map(
    (line) => `${JSON.stringify({ ...(JSON.parse(line) as object), rows: 0, files: undefined })}\n`,
  );
  await writeFile(list, none.join(""));
  expect(rowsIn(await run())).toEqual(rowsIn(whole));
});

test("decodes every type, and refuses logs with other indexed parameters", async () => {
  const item = parseAbiItem(
    "event Played(uint8 indexed kind, bool won, string note, address[] others, int64 delta, bytes4 tag)",
  );
  const values = encodeAbiParameters(item.inputs.slice(1), [true, 'a "b" ü', [alice, bob], -5n, "0xABCDEF01"]);
  const words = values
    .slice(2)
    .match(/.{64}/g)!
    .map((word) => `0x${word}`);
  const height = await emitter.emit(toEventSelector(item), uint(7n), ...words);
  const window = `blocks = [${height}, ${height}]`;
  const event = "event Played(uint8 indexed kind, bool won, string note, address[] others, int64 delta, bytes4 tag)";
  const sql = `select '${alice}' as address, case when kind = 7 and won and note = 'a "b" ü' and delta = -5
    and tag = '0xabcdef01' and lower(others) = '["${alice}","${bob}"]' then 1 else 0 end as score from trades`;
  expect([...(await run({ window, event, sql })).table]).toEqual([{ account: alice, score: 1n }]);
  const other = event.replace("bool won", "bool indexed won");
  await expect(run({ window, event: other, sql })).rejects.toMatchObject({ code: "SOURCE_INVALID" });
});
