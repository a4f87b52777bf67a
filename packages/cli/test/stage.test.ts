import { tmpdir } from "node:os";
import { beforeAll, expect, test } from "vitest";
import { script } from "@vipscore/testkit/scriptedServer";
import { runCli } from "./harness.ts";

/** A server that imitates L1: it has the newest block, and a ModuleStore at any module address. */
let url: string;
/** The time of the newest block, in unix seconds. */
const now = Math.floor(Date.now() / 1000);
/** Of governance on mainnet. */
const params = {
  min_deposit: [{ denom: "uinit", amount: "100000000" }],
  max_deposit_period: "172800s",
  voting_period: "604800s",
  expedited_min_deposit: [{ denom: "uinit", amount: "500000000" }],
  expedited_voting_period: "86400s",
};
let chain = { id: "interwoven-1", stage: "12", start: now - 1_000_000, end: now + 273_600, time: now };

beforeAll(async () => {
  ({ url } = await script(({ path, query }) => {
    const time = new Date(chain.time * 1000).toISOString();
    const newest = { block: { header: { chain_id: chain.id, height: "5365", time } } };
    const data = {
      stage: chain.stage,
      stage_start_time: `${chain.start}`,
      stage_end_time: `${chain.end}`,
      stage_interval: "1209600",
      vesting_period: "26",
      minimum_lock_staking_period: "15724800",
      challenge_period: "86400",
      minimum_score_ratio: "0.5",
      pool_split_ratio: "0.2",
      maximum_tvl_ratio: "1",
      minimum_eligible_tvl: "9007199254740993",
      maximum_weight_ratio: "1",
      bridges: { handle: "0xc2", length: "0" },
    };
    const move_resource = JSON.stringify({ type: "0x1::vip::ModuleStore", data });
    if (path.includes("params/voting")) return { body: { params } };
    // A module without averages: the rewards are left out.
    if (/vault|tvl_manager/.test(query.get("struct_tag") ?? ""))
      return { status: 500, body: { code: 2, message: "collections: not found" } };
    if (path.includes("/tables/")) return { body: { table_entries: [], pagination: { next_key: null } } };
    return { body: path.includes("blocks") ? newest : { resource: { move_resource } } };
  }));
});

const cli = (...args: readonly string[]) => runCli(["stage", ...args], tmpdir(), { env: { L1_REST_URL: url } });

test("a table for people", async () => {
  const { status, stdout, stderr } = await cli();
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^L1 {9}interwoven-1\b.*\b0x3a88…8789\b.*\b5,365\b.*\b\d{4}-/m);
  expect(stdout).toMatch(/\b7 d\b.*\b1 d\b[^]*\b9,007,199,254,740,993\b/);
  expect(stdout).toMatch(/^ {5}12 {2}[\d: -]+UTC {2}[\d: -]+UTC {2}.*\b3 d 4 h$/m);
  expect(stdout.match(/^ {5}1[345] {2}[\d: -]+UTC {2}[\d: -]+UTC {2}tentative$/gm)).toHaveLength(3);
});

test("one object with --json, exact", async () => {
  const { of, stage, l1: found, isOverdue, parameters, votes, schedule } = (await cli("--json")).json();
  expect({ of, stage, isOverdue }).toEqual({ of: "l1", stage: "12", isOverdue: false });
  expect(found).toMatchObject({ chainId: "interwoven-1", height: "5365" });
  expect(parameters).toMatchObject({ challengePeriodSeconds: "86400", minimumEligibleTvl: "9007199254740993" });
  expect(votes).toMatchObject({ votingPeriodSeconds: "604800", expedited: { votingPeriodSeconds: "86400" } });
  expect(schedule).toMatchObject([
    { stage: "12", isTentative: false, endsAt: new Date((now + 273_600) * 1000).toISOString() },
    { stage: "13", isTentative: true, startsAt: new Date((now + 273_600) * 1000).toISOString() },
    { stage: "14" },
    { stage: "15" },
  ]);
});

test("a stage past its end, and an address that sources disagree on", async () => {
  const before = chain;
  chain = { ...before, id: "initiation-2", end: now - 3_600 };
  const { status, stdout, stderr } = await cli();
  const json = (await cli("--json")).json();
  chain = before;
  expect(json).toMatchObject({ stage: "12", isOverdue: true });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^ {5}12 .*\b1 h\b/m);
  expect(stderr).toMatch(/^warning .*\binitiation-2\b.*\b0x[0-9a-f]+\b.*--vip-address\b/m);
});

test("an agent that is late by several stages: later ones that are due are not tentative", async () => {
  const before = chain;
  chain = { ...before, start: 0, end: now - 1_209_600 - 3_600 };
  const { stdout } = await cli();
  chain = before;
  // The stages 13 and 14 were due to start, 15 is not.
  expect(stdout.match(/^ {5}1[34] .* UTC {2}(?!tentative).*$/gm)).toHaveLength(2);
  expect(stdout).toMatch(/^ {5}15 .* UTC {2}tentative$/m);
});

test.each([-870_000, 870_000])(
  "a clock %s s from the newest block's time: the endpoint is not blamed alone",
  async (apart) => {
    const before = chain;
    chain = { ...before, time: now + apart };
    const { status, stderr } = await cli();
    chain = before;
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(/^warning .*\b10 d\b.*\bclock\b/) as unknown,
    });
  },
);

test("no L1, an unknown L1, and one that is down", async () => {
  const none = await runCli(["stage", "--json"], tmpdir());
  expect(none.json()["error"]).toMatchObject({ code: "CONFIG_INVALID", exit: 2 });
  const before = chain;
  chain = { ...before, id: "minimove-1" };
  expect((await cli("--json")).json()["error"]).toMatchObject({ code: "CONFIG_INVALID", exit: 2 });
  expect(await cli("--vip-address", "0x1")).toMatchObject({ status: 0 });
  chain = before;
  const down = await cli("--l1-rest-url", "http://127.0.0.1:9", "--json");
  expect(down.json()["error"]).toMatchObject({ code: "NODE_UNREACHABLE", exit: 4 });
});
