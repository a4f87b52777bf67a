import { expect, test, vi } from "vitest";
import { NodeError } from "../errors/vipError.ts";
import { UnreadableAnswer } from "./answer.ts";
import { parseEndpoint } from "./endpoint.ts";
import { UnexpectedAnswerError, UnknownServiceError } from "./exchange.ts";
import { Pace } from "./pace.ts";
import { retryRead } from "./retryRead.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

const options = { endpoint: "http://node", signal: undefined };
const refusal = (details: string): NodeError => new NodeError("refused", { code: "NODE_ERROR", details });

test.each([
  // recorded on minimove; Cosmos SDK 0.50
  "cannot query with height in the future; please provide a valid height: invalid height",
  "failed to load state at height 90; version does not exist (latest height: 80)",
  // CometBFT 0.38
  "height 90 must be less than or equal to the current blockchain height 80",
  // minievm, geth
  "requested height is greater than the latest block height",
  "header not found",
])("waits for a node that does not have the height yet: %s", async (details) => {
  let reads = 0;
  const read = (): Promise<string> => {
    reads += 1;
    return reads < 20 ? Promise.reject(refusal(details)) : Promise.resolve("there");
  };
  expect(await retryRead(read, options)).toBe("there");
});

test("a node that never has the height is reported as behind, with its text", async () => {
  const details = "header not found";
  const read = (): Promise<never> => Promise.reject(refusal(details));
  await expect(retryRead(read, options)).rejects.toMatchObject({ code: "NODE_BEHIND", details });
});

test.each([
  "height 3 is not available, lowest height is 10",
  "failed to load state at height 9; version does not exist (latest height: 900)",
  "no such module",
])("does not wait after: %s", async (details) => {
  const read = vi.fn<() => Promise<never>>(() => Promise.reject(refusal(details)));
  await expect(retryRead(read, options)).rejects.toMatchObject({ code: "NODE_ERROR", details });
  expect(read).toHaveBeenCalledTimes(1);
});

/** A read that fails until this many milliseconds have passed. */
function failingFor(milliseconds: number, failure: () => Error) {
  const startedAt = performance.now();
  const timeouts: number[] = [];
  const read = (timeoutMs: number): Promise<number> => {
    timeouts.push(timeoutMs);
    const passed = performance.now() - startedAt;
    return passed < milliseconds ? Promise.reject(failure()) : Promise.resolve(passed);
  };
  return { read, timeouts };
}

const outage = (retryAfterMs = 0): NodeError => new NodeError("busy", { code: "NODE_UNREACHABLE", retryAfterMs });

test("waits for an outage of half a minute, but no longer", async () => {
  const short = failingFor(29_000, outage);
  expect(await retryRead(short.read, options)).toBeGreaterThanOrEqual(29_000);
  const startedAt = performance.now();
  await expect(retryRead(failingFor(60_000, outage).read, options)).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  expect(performance.now() - startedAt).toBe(30_000);
});

test("setting the wall clock forward or back changes nothing", async () => {
  for (const hours of [1, -1]) {
    const { read } = failingFor(20_000, () => {
      vi.setSystemTime(Date.now() + hours * 3_600_000);
      return outage();
    });
    expect(await retryRead(read, options)).toBeLessThan(30_000);
  }
});

test("attempts get longer, and their limits with the pauses stay within 35 seconds", async () => {
  const timeouts: number[] = [];
  const startedAt = performance.now();
  const silent = (timeoutMs: number): Promise<never> => {
    timeouts.push(timeoutMs);
    vi.advanceTimersByTime(timeoutMs);
    return Promise.reject(outage());
  };
  await expect(retryRead(silent, options)).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  expect(timeouts.slice(0, 2)).toEqual([5_000, 10_000]);
  expect(performance.now() - startedAt).toBeLessThan(35_000);
});

test("quick failures leave the next attempt short, so that one that hangs then does not cost the rest", async () => {
  const startedAt = performance.now();
  const read = (timeoutMs: number): Promise<number> => {
    const passed = performance.now() - startedAt;
    if (passed < 8_000) return Promise.reject(outage());
    if (passed >= 13_000) return Promise.resolve(timeoutMs);
    vi.advanceTimersByTime(timeoutMs);
    return Promise.reject(outage());
  };
  expect(await retryRead(read, options)).toBe(10_000);
});

test("waits for Retry-After, at most to the end of the patience", async () => {
  const { read, timeouts } = failingFor(7_000, () => outage(7_000));
  expect(await retryRead(read, options)).toBe(7_000);
  expect(timeouts).toHaveLength(2);
  const never = failingFor(3_600_000, () => outage(3_600_000));
  await expect(retryRead(never.read, options)).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  expect(never.timeouts).toHaveLength(2);
});

const webPage = (hasAnswered: boolean): UnexpectedAnswerError =>
  new UnexpectedAnswerError(
    { ...parseEndpoint("http://node", "endpoint"), memory: { hasAnswered, pace: new Pace() } },
    { title: "status", expected: "JSON-RPC" },
    { text: "<html>", json: undefined },
  );

test.each([
  [
    "nothing listens at an address that never answered",
    10_000,
    () => new UnknownServiceError("?", { code: "NODE_UNREACHABLE" }),
  ],
  ["a web page from an address that never answered", 10_000, () => webPage(false)],
  ["a web page from a node that answered before", 30_000, () => webPage(true)],
  ["an unreadable answer", 3_000, () => new UnreadableAnswer({ endpoint: "http://node", title: "status" }, "?", "{}")],
])("%s: reported after %i ms", async (_, milliseconds, failure) => {
  const startedAt = performance.now();
  await expect(retryRead(failingFor(60_000, failure).read, options)).rejects.toMatchObject({
    message: failure().message,
  });
  expect(performance.now() - startedAt).toBe(milliseconds);
});

test("a machine that slept during a read tries again once it is awake", async () => {
  let reads = 0;
  const read = (): Promise<string> => {
    reads += 1;
    if (reads > 1) return Promise.resolve("awake");
    vi.advanceTimersByTime(3_600_000);
    return Promise.reject(outage());
  };
  expect(await retryRead(read, options)).toBe("awake");
  const never = vi.fn<() => Promise<never>>(() => {
    vi.advanceTimersByTime(3_600_000);
    return Promise.reject(outage());
  });
  await expect(retryRead(never, options)).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  expect(never).toHaveBeenCalledTimes(2);
});
