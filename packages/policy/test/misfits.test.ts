import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pad, toEventSelector } from "viem";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { formatManifest, parseManifest } from "@vipscore/core/manifest";
import { deployEmitter, type Emitter } from "@vipscore/testkit/eventEmitter";
import { playNode, type PlayedEvent } from "@vipscore/testkit/playedComet";
import { playHardhat } from "@vipscore/testkit/playHardhat";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { AuditLog } from "../src/evidence/auditLog.ts";
import { auditSources } from "../src/evidence/auditSources.ts";
import { createManifest, openPolicyChain, openRollupNode, openSources, readPolicy, runPolicy } from "../src/index.ts";
import { collectSource } from "./collectSource.ts";
import { alice, bob, openPolicyFolder } from "./policyFolder.ts";

/** Any user can emit an event whose value no column holds: a policy may say what becomes of it. */

const played = toEventSelector("Played(address,uint256)");
const uint = (value: bigint) => pad(`0x${value.toString(16)}`);
const huge = 2n ** 256n - 1n;

const chain = playHardhat();
let game: Emitter;
let heights: readonly number[];
let data: string;

beforeAll(async () => {
  game = await deployEmitter((method, params) => chain.request({ method, params }), 2);
  const points = [5n, huge, 7n, huge - 1n];
  heights = [];
  for (const value of points) heights = [...heights, await game.emit(played, pad(alice), uint(value))];
});
beforeEach(() => {
  data = temporaryFolder();
});

const sourceOf = (more: string) =>
  `kind = "evm_events"\ncontracts = ["${game.address}"]\nevent = "event Played(address indexed who, uint256 points)"\n${more}`;
const tomlOf = (more: string, last = heights.at(-1)) => `name = "game"
version = "1"
[rollup]
chain_id = "31337"
[window]
blocks = [${heights[0]}, ${last}]
[[source]]
name = "plays"
${sourceOf(more)}`;

async function run(more: string, last?: number) {
  await using folder = await openPolicyFolder({
    "policy.toml": tomlOf(more, last),
    "policy.sql": "select who as address, sum(points) as score from plays group by who",
  });
  const policy = await readPolicy(folder.path);
  const { signal } = new AbortController();
  const opened = await openPolicyChain(policy, { node: openRollupNode("evm", chain.url), folder: data, signal });
  const result = await runPolicy(policy, openSources(policy, opened));
  return {
    result,
    manifest: createManifest(policy, result, { stage: stage(1n), chain: opened, file: "s.csv", vipscore: "1" }),
  };
}

const reject = (most: number) => `on_misfit = "reject"\nmax_misfits = ${most}`;
const place = (index: number) => ({
  height: heights[index],
  transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) as unknown,
  event: 0,
});

describe("an event that does not fit", () => {
  test("is an error that names the ways out", async () => {
    await expect(run("")).rejects.toMatchObject({
      code: "SOURCE_INVALID",
      metaMessages: [expect.stringMatching(/as text.*on_misfit/)],
    });
  });

  test("is left out, and listed in the manifest", async () => {
    const { result, manifest } = await run(reject(2));
    expect([...result.table]).toEqual([{ account: alice, score: 12n }]);
    expect(manifest.sources).toMatchObject([{ rows: 2, misfits: [place(1), place(3)] }]);
    expect(parseManifest(formatManifest(manifest), "m.json")).toEqual(manifest);
    // From what is stored, for an earlier end too.
    expect((await run(reject(2))).manifest).toEqual(manifest);
    expect((await run(reject(1), heights[2])).manifest.sources).toMatchObject([{ rows: 2, misfits: [place(1)] }]);
    await rm(data, { recursive: true });
    expect((await run(reject(2))).manifest.sources).toEqual(manifest.sources);
  });

  test("is an error if there are more than allowed, and nothing of it is stored", async () => {
    await expect(run(reject(1))).rejects.toMatchObject({
      code: "SOURCE_INVALID",
      metaMessages: [expect.stringContaining(`block ${heights[3]}`), expect.stringContaining("max_misfits")],
    });
    const [folder = ""] = await readdir(data);
    expect(await readdir(join(data, folder, "rows"))).toEqual([]);
    await run(reject(2));
    await expect(run(reject(1))).rejects.toMatchObject({ code: "SOURCE_INVALID" });
    await expect(run("")).rejects.toMatchObject({ code: "SOURCE_INVALID" });
  });

  test("is compared by an audit", async () => {
    const { result, manifest } = await run(reject(2));
    const statusOf = (sources: typeof manifest.sources) => {
      const log = new AuditLog(() => undefined);
      auditSources(sources, result.sources, log);
      return log.findings.map(({ status }) => status);
    };
    expect(statusOf(manifest.sources)).toEqual(["same"]);
    const fewer = manifest.sources.map((source) => ({ ...source, misfits: source.misfits?.slice(1) }));
    expect(statusOf(fewer)).toEqual(["differs"]);
  });

  test("fits a column of text", async () => {
    const { records } = await collectSource(
      { vm: "evm", rpcUrl: chain.url, chainId: "31337" },
      sourceOf('columns = { points = "text" }'),
      { blocks: [heights[0] ?? 0, heights.at(-1) ?? 0] },
    );
    expect(records.map(({ points }) => points)).toEqual(["5", `${huge}`, "7", `${huge - 1n}`]);
  });

  test("of another shape is never left out", async () => {
    const height = await game.emit(played, pad(alice));
    await expect(run(reject(9), height)).rejects.toMatchObject({ code: "SOURCE_INVALID" });
  });
});

test.each([
  ['on_misfit = "reject"', "max_misfits"],
  ["max_misfits = 5", "on_misfit"],
  ['on_misfit = "ignore"\nmax_misfits = 5', "on_misfit"],
  [reject(0), "max_misfits"],
  [reject(1001), "max_misfits"],
  ['columns = { point = "text" }', "columns.point"],
  ['columns = { points = "boolean" }', "columns.points"],
])("%s is refused", async (more, field) => {
  await using folder = await openPolicyFolder({ "policy.toml": tomlOf(more) });
  await expect(readPolicy(folder.path)).rejects.toMatchObject({
    code: "POLICY_INVALID",
    shortMessage: expect.stringContaining(`policy.toml: source[1].${field} `) as unknown,
  });
});

describe("on Move and Wasm, an optional field", () => {
  const time = "2026-11-21T07:27:44.8Z";
  const contract = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
  const moveEvent = (fields: object): PlayedEvent => ({
    type: "move",
    attributes: [
      { key: "type_tag", value: "0xa::dex::Swapped" },
      { key: "data", value: JSON.stringify(fields) },
    ],
  });
  const wasmEvent = (fields: object): PlayedEvent => ({
    type: "wasm",
    attributes: Object.entries({ _contract_address: contract, ...fields }).map(([key, value]) => ({
      key,
      value,
    })),
  });

  async function collect(vm: "move" | "wasm", fields: readonly object[], more: string) {
    const events = fields.map(vm === "move" ? moveEvent : wasmEvent);
    const blocks = [{ height: 2, time, transactions: ["AAAA"], events: [events] }];
    const { url } = await playNode({ blocks, earliest: 1, latest: 3 });
    const kind = vm === "move" ? 'type = "0xa::dex::Swapped"' : `contracts = ["${contract}"]`;
    const source = `kind = "${vm}_events"\n${kind}\n${more}`;
    return collectSource({ vm, rpcUrl: url, chainId: "local-move-1" }, source, { blocks: [1, 3], folder: data });
  }

  const columns = 'columns = { amount = "integer", referrer = "text?" }';

  test.each(["move", "wasm"] as const)("is null where it is absent (%s)", async (vm) => {
    const { records, digest } = await collect(vm, [{ amount: "1" }, { amount: "2", referrer: bob }], columns);
    expect(records).toMatchObject([
      { amount: 1n, referrer: null },
      { amount: 2n, referrer: bob },
    ]);
    data = temporaryFolder();
    const other = await collect(
      vm,
      [
        { amount: "1", referrer: "" },
        { amount: "2", referrer: bob },
      ],
      columns,
    );
    expect(other.digest).not.toBe(digest);
  });

  test.each(["move", "wasm"] as const)("that no event has is refused (%s)", async (vm) => {
    const rows = [{ amount: "1" }, { amount: "2" }];
    await expect(collect(vm, rows, columns)).rejects.toMatchObject({
      code: "SOURCE_EMPTY",
      shortMessage: expect.stringContaining("referrer") as unknown,
    });
    expect((await collect(vm, rows, `${columns}\nmay_be_empty = true`)).rows).toHaveLength(2);
  });

  test.each(["move", "wasm"] as const)("of another type is left out with its event (%s)", async (vm) => {
    const rows = [{ amount: "1", referrer: alice }, { amount: "many" }, { amount: `${huge}` }, {}];
    expect((await collect(vm, rows, `${columns}\n${reject(3)}`)).records).toMatchObject([{ amount: 1n }]);
    data = temporaryFolder();
    await expect(collect(vm, rows, `${columns}\n${reject(2)}`)).rejects.toMatchObject({ code: "SOURCE_INVALID" });
  });
});
