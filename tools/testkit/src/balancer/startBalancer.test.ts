import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { jsonAnswer } from "../proxy/startProxy.ts";
import { script, type ScriptedServer } from "../scriptedServer.ts";
import { until } from "../until.ts";
import { startBalancer, type Balancer } from "./startBalancer.ts";

let height = 5n;
let polls = 0;
let upstream: ScriptedServer;
beforeEach(async () => {
  // Replaces only the replicas' clock: a lag passes only when a test advances it, on any machine.
  vi.useFakeTimers({ toFake: ["performance"] });
  height = 5n;
  polls = 0;
  upstream = await script(() => ({ body: { height: "the node's own" } }));
});
afterEach(() => {
  vi.useRealTimers();
});

const start = (lagsMs: readonly number[], seed = 1): Promise<Balancer> =>
  startBalancer(
    { upstreamUrl: upstream.url, lagsMs, seed },
    {
      readHeight: () => {
        polls += 1;
        return Promise.resolve(height);
      },
      answer: (_request, head) => Promise.resolve(jsonAnswer({ height: head.toString() })),
    },
  );

async function ask({ url }: Balancer): Promise<string> {
  return ((await (await fetch(url)).json()) as { readonly height: string }).height;
}

/** Waits until the balancer has seen the newest height. */
async function polled(): Promise<void> {
  const before = polls;
  await until("two more polls", () => polls >= before + 2);
}

test("a replica shows the state that the node had committed its lag ago", async () => {
  await using balancer = await start([1000]);
  expect(await ask(balancer)).toBe("5");
  height = 7n;
  await polled();
  expect(await ask(balancer)).toBe("5");
  vi.advanceTimersByTime(600);
  height = 9n;
  await polled();
  vi.advanceTimersByTime(399);
  expect(await ask(balancer)).toBe("5");
  vi.advanceTimersByTime(1);
  expect(await ask(balancer)).toBe("7");
  vi.advanceTimersByTime(600);
  expect(await ask(balancer)).toBe("9");
});

test("a replica without a lag is the node itself; the choice follows the seed", async () => {
  await using balancer = await start([0, 1000], 7);
  const answers = [];
  for (let index = 0; index < 20; index += 1) answers.push(await ask(balancer));
  const own = answers.filter((answer) => answer === "the node's own").length;
  expect(balancer.served).toEqual([own, 20 - own]);
  expect(own).toBeGreaterThan(0);
  expect(own).toBeLessThan(20);

  await using again = await start([0, 1000], 7);
  const repeated = [];
  for (let index = 0; index < 20; index += 1) repeated.push(await ask(again));
  expect(repeated).toEqual(answers);
});

test("a stopped node results in a bad gateway", async () => {
  await using balancer = await start([0]);
  await upstream.close();
  expect((await fetch(balancer.url)).status).toBe(502);
});
