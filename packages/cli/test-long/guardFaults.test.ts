import { expect, onTestFinished, test } from "vitest";
import { VipError } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { allFaultKinds, chooseBySeed } from "@vipscore/testkit/faults/faultChoice";
import { startFaultProxy } from "@vipscore/testkit/faults/faultProxy";
import { evmProtocol } from "@vipscore/testkit/faults/nodeProtocol";
import { shortTiming } from "@vipscore/testkit/faults/playFault";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { startCli } from "../test/childCli.ts";
import { codesOf, eventsOf, RoundClock } from "../test/guardEvents.ts";
import { addressOf, csvOf, startTestChain } from "../test/harness.ts";

const chain = started(() => startTestChain());
const seed = 67;

/** A proxy that the guard and the pushes use. */
async function playFaults(percent: { broadcast: number; lookUp: number; read: number }, onRequest = () => {}) {
  // Nobody else writes.
  const kinds = allFaultKinds.filter((kind) => kind !== "otherWriter" && kind !== "baseFeeJump");
  const choose = chooseBySeed(seed, { kinds, percent });
  const { rpcUrl: upstreamUrl } = chain.node;
  const proxy = await startFaultProxy({ upstreamUrl, protocol: evmProtocol, choose, timing: shortTiming, onRequest });
  onTestFinished(() => proxy.close());
  return proxy;
}

test("an hour of pushes through a node with faults begins nothing", async () => {
  await chain.deploy(1);
  await chain.cli(["guard", "--once"]);
  const proxy = await playFaults({ broadcast: 15, lookUp: 8, read: 4 });
  const clock = new RoundClock();
  const stopping = new AbortController();
  const on = ["--endpoint", proxy.url];
  const env = { MNEMONIC: testAccounts.deployer.mnemonic };
  const guard = chain.cli(["guard", "--json", ...on], { clock, signal: stopping.signal });
  let pushed = 0;
  for (let minute = 1; minute <= 60; minute += 1) {
    await until(`round ${minute}`, () => clock.rounds === minute);
    if (minute % 6 === 0) await chain.write("scores.csv", csvOf(20, 1000 * minute));
    // A push that a fault ends is repeated a minute later.
    const push = minute % 6 < 3 ? chain.cli(["push", "scores.csv", "--stage", "1", ...on], { env }) : undefined;
    clock.advance(60_000);
    if ((await push)?.status === 0) pushed += 1;
  }
  stopping.abort(new VipError("stopped", { code: "INTERRUPTED", cause: "SIGTERM" }));
  expect(eventsOf((await guard).stdout)).toEqual([]);
  expect(pushed).toBeGreaterThan(10);
  expect(proxy.log.played.length).toBeGreaterThan(60);
});

test("killed at ten random points, it reports each finding once", async () => {
  await chain.deploy(1);
  const random = seededRandom(seed);
  let [requests, killAt, kill] = [0, Infinity, () => {}];
  const proxy = await playFaults({ broadcast: 0, lookUp: 0, read: 0 }, () => {
    requests += 1;
    if (requests === killAt) kill();
  });
  const round = async (at: number) => {
    [requests, killAt] = [0, at];
    const { process, ended, output } = startCli(["guard", "--once", "--json", "--endpoint", proxy.url], chain.cwd);
    kill = () => process.kill("SIGKILL");
    const status = await ended;
    return { status, events: codesOf(output.stdout) };
  };
  await round(Infinity);
  const whole = requests;
  const member = addressOf(0xbeef);
  for (const [change, event] of [
    ["add", "begins owner"],
    ["remove", "ends owner"],
  ] as const) {
    await chain.ok(["members", change, member]);
    for (let kills = 0; kills < 5; kills += 1)
      expect(await round(1 + random.below(whole - 1))).toEqual({ status: null, events: [] });
    expect((await round(Infinity)).events).toEqual([event]);
    expect((await round(Infinity)).events).toEqual([]);
  }
});
