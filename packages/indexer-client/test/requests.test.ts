import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { script } from "@vipscore/testkit/scriptedServer";
import { until } from "@vipscore/testkit/until";
import {
  getStatus,
  IndexerBadAnswerError,
  IndexerBadRequestError,
  IndexerNetworkError,
  IndexerNotFoundError,
  IndexerRequestError,
  IndexerServerError,
  openIndexer,
  type IndexerOptions,
} from "../src/index.ts";
import { failure, sendJson, sendText, serve, stopServers } from "./httpServer.ts";

const status = { version: "1", commit_hash: "ab", chain_id: "rly-1", height: 7 };
const quick: IndexerOptions = { retry: { minDelayMs: 2 } };

afterEach(async () => {
  vi.useRealTimers();
  await stopServers();
});

/**
 * Stops all timers: from then on the client's limits and pauses end only when the test advances the clock, however slow
 * the server is.
 */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
}

describe("a fetch without the streams of the web", () => {
  /** As that of React Native, which has no body (react-native 37505), or of node-fetch 2, whose body is a stream of Node. */
  const textOnly =
    (more: object): NonNullable<IndexerOptions["fetch"]> =>
    async (url, init) => {
      const response = await fetch(url, init);
      const { ok, status: answered, headers } = response;
      return { ok, status: answered, headers, text: () => response.text(), ...more } as unknown as Response;
    };

  test.each([
    ["no body", {}],
    ["a stream of Node", { body: Readable.from([]) }],
  ])("%s: answers and errors are read as text", async (_, more) => {
    const options = { ...quick, fetch: textOnly(more) };
    const good = await serve((__, response) => sendJson(response, status));
    await expect(getStatus(openIndexer(good.url, options))).resolves.toMatchObject({ height: 7 });
    const bad = await serve((__, response) => sendText(response, 404, "nft collection not found"));
    expect(await failure(getStatus(openIndexer(bad.url, options)))).toMatchObject({
      code: "INDEXER_NOT_FOUND",
      details: "nft collection not found",
    });
  });
});

describe("statuses", () => {
  test.each([
    [400, IndexerBadRequestError, "INDEXER_BAD_REQUEST", false, 1],
    [403, IndexerBadRequestError, "INDEXER_BAD_REQUEST", false, 1],
    [404, IndexerNotFoundError, "INDEXER_NOT_FOUND", false, 1],
    [431, IndexerBadRequestError, "INDEXER_BAD_REQUEST", false, 1],
    [429, IndexerServerError, "INDEXER_SERVER_ERROR", true, 4],
    [500, IndexerServerError, "INDEXER_SERVER_ERROR", false, 3],
    [501, IndexerBadAnswerError, "INDEXER_BAD_ANSWER", false, 1],
    [502, IndexerServerError, "INDEXER_SERVER_ERROR", true, 4],
    [503, IndexerServerError, "INDEXER_SERVER_ERROR", true, 4],
    [504, IndexerServerError, "INDEXER_SERVER_ERROR", true, 4],
  ])("%i", async (code, type, errorCode, retryable, requestCount) => {
    const details = "nft collection not found";
    const server = await serve((_, response) => sendText(response, code, details));
    const error = await failure(getStatus(openIndexer(server.url, quick)));
    expect(error).toBeInstanceOf(type);
    expect(error).toBeInstanceOf(IndexerRequestError);
    expect(error).toMatchObject({
      name: type.name,
      code: errorCode,
      status: code,
      retryable,
      url: `${server.url}/status`,
      details,
      message: expect.stringMatching(new RegExp(`^${server.url}/status .*\\b${code}\\b.*${details}$`)),
    });
    expect(server.requests).toHaveLength(requestCount);
  });

  test("a gateway's error page is not repeated in the message", async () => {
    const server = await serve((_, response) =>
      response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>"),
    );
    const error = await failure(getStatus(openIndexer(server.url, quick)));
    expect(error).toMatchObject({ code: "INDEXER_SERVER_ERROR", status: 502 });
    expect(error).toHaveProperty("details", undefined);
  });

  test("only the start of a long text is repeated", async () => {
    const server = await serve((_, response) => sendText(response, 400, "long ".repeat(1000)));
    const error = await failure(getStatus(openIndexer(server.url)));
    expect(error).toHaveProperty("details", "long ".repeat(40));
  });

  test("a status that is neither success nor error is not an answer", async () => {
    const server = await serve((_, response) => response.writeHead(304).end());
    const error = await failure(getStatus(openIndexer(server.url)));
    expect(error).toMatchObject({ code: "INDEXER_BAD_ANSWER", status: 304 });
  });
});

describe("repeating", () => {
  test.each([429, 502, 503, 504, 500])("an answer after %i counts", async (code) => {
    const server = await serve((_, response, turn) =>
      turn < 2 ? sendText(response, code) : sendJson(response, status),
    );
    expect(await getStatus(openIndexer(server.url, quick))).toEqual(status);
    expect(server.requests).toHaveLength(3);
  });

  test("500s are counted separately", async () => {
    const server = await serve((_, response, turn) => sendText(response, turn % 2 === 0 ? 503 : 500));
    const error = await failure(getStatus(openIndexer(server.url, { retry: { attempts: 20, minDelayMs: 1 } })));
    expect(error).toMatchObject({ status: 500 });
    expect(server.requests).toHaveLength(6);
  });

  test("connections cut before or within the answer", async () => {
    const server = await serve((_, response, turn) => {
      if (turn === 0) response.destroy();
      else if (turn === 1) {
        response.writeHead(200, { "content-type": "application/json" }).write(`{"version":`);
        setImmediate(() => response.destroy());
      } else sendJson(response, status);
    });
    expect(await getStatus(openIndexer(server.url, quick))).toEqual(status);
    expect(server.requests).toHaveLength(3);
  });

  test("a missing server", async () => {
    const server = await script({});
    await server.close();
    const error = await failure(getStatus(openIndexer(server.url, quick)));
    expect(error).toBeInstanceOf(IndexerNetworkError);
    expect(error).toMatchObject({
      code: "INDEXER_UNREACHABLE",
      retryable: true,
      details: "ECONNREFUSED",
    });
  });

  test("pauses double, half of each is random", async () => {
    const server = await serve((_, response) => sendText(response, 503));
    const timers = vi.spyOn(globalThis, "setTimeout");
    const random = vi.spyOn(Math, "random");
    onTestFinished(() => void vi.restoreAllMocks());
    const pausesOf = async (chance: number): Promise<readonly number[]> => {
      random.mockReturnValue(chance);
      timers.mockClear();
      await failure(getStatus(openIndexer(server.url, { retry: { attempts: 4, minDelayMs: 40 } })));
      // HTTP and the timeouts have timers of their own: of 0, 499 and more milliseconds.
      return timers.mock.calls.map(([, milliseconds = 0]) => milliseconds).filter((each) => each > 0 && each < 400);
    };
    expect(await pausesOf(0)).toEqual([20, 40, 80]);
    expect(await pausesOf(1)).toEqual([40, 80, 160]);
  });

  test.each([
    ["seconds", () => "1"],
    ["a date", () => new Date(Date.now() + 2000).toUTCString()],
  ])("a retry waits for Retry-After in %s", async (_, retryAfter) => {
    const times: number[] = [];
    const server = await serve((__, response, turn) => {
      times.push(performance.now());
      if (turn === 0) sendText(response, 429, "", { "retry-after": retryAfter() });
      else sendJson(response, status);
    });
    expect(await getStatus(openIndexer(server.url, quick))).toEqual(status);
    // The date has whole seconds, so at least one of two seconds is left.
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(990);
  });

  test("a Retry-After beyond the time left ends the request at once", async () => {
    const server = await serve((_, response) => sendText(response, 503, "", { "retry-after": "3600" }));
    stopTimers();
    const error = await failure(getStatus(openIndexer(server.url)));
    expect(error).toMatchObject({ status: 503, retryable: true, retryAfterMs: 3_600_000 });
    expect(server.requests).toHaveLength(1);
  });
});

describe("timeouts", () => {
  const silent = () => undefined;
  const headOnly = (_: unknown, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" }).write("{");
  };
  const drip = (_: unknown, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 5);
    response.on("close", () => clearInterval(timer));
  };

  test.each([
    ["a silent server", silent],
    ["a body that stops", headOnly],
    ["a body that drips", drip],
  ])("%s: each attempt is ended and retried", async (_, handler) => {
    const server = await serve(handler);
    stopTimers();
    const attemptTimeoutMs = 60_000;
    const options = { attemptTimeoutMs, timeoutMs: Infinity, retry: { attempts: 2, minDelayMs: 1 } };
    const request = failure(getStatus(openIndexer(server.url, options)));
    for (const attempt of [1, 2]) {
      await until(`request ${attempt}`, async () => {
        // For the pause between the attempts.
        await vi.advanceTimersByTimeAsync(1);
        return server.requests.length === attempt;
      });
      await vi.advanceTimersByTimeAsync(attemptTimeoutMs);
      await until("the end of the connection", () => server.leftEarly() === attempt);
    }
    const error = await request;
    expect(error).toBeInstanceOf(IndexerNetworkError);
    expect(error).toMatchObject({ code: "INDEXER_TIMEOUT", retryable: true });
    expect(error).not.toHaveProperty("status");
    expect(server.requests).toHaveLength(2);
  });

  test("a request has a time limit over all its attempts", async () => {
    const server = await serve(silent);
    const indexer = openIndexer(server.url, {
      attemptTimeoutMs: 150,
      timeoutMs: 400,
      retry: { attempts: 1000, minDelayMs: 1 },
    });
    expect(await failure(getStatus(indexer))).toMatchObject({ code: "INDEXER_TIMEOUT" });
    // Two attempts of 150 ms, and the remaining time.
    expect(server.requests.length).toBeLessThan(5);
  });

  test("a timeout beyond what a timer supports means no timeout", async () => {
    const server = await serve((_, response) => sendJson(response, status));
    const indexer = openIndexer(server.url, { attemptTimeoutMs: Infinity, timeoutMs: Infinity });
    expect(await getStatus(indexer)).toEqual(status);
  });
});

describe("an abort", () => {
  const reason = new Error("enough");

  test("before the request: nothing is sent", async () => {
    const server = await serve((_, response) => sendJson(response, status));
    const indexer = openIndexer(server.url);
    expect(await failure(getStatus(indexer, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    ["waiting for the answer", false, () => undefined],
    [
      "within the body",
      true,
      (_: unknown, response: ServerResponse) => {
        response.writeHead(200, { "content-type": "application/json" }).write("{");
      },
    ],
    [
      "within the text of an error",
      true,
      (_: unknown, response: ServerResponse) => {
        response.writeHead(400, { "content-type": "text/plain" }).write("no");
      },
    ],
    ["between attempts", true, (_: unknown, response: ServerResponse) => sendText(response, 503)],
  ])("%s ends the request with the caller's reason", async (_, goesOn, handler) => {
    const server = await serve(handler);
    const caller = new AbortController();
    let hasArrived = false;
    const indexer = openIndexer(server.url, {
      retry: { minDelayMs: 60_000 },
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        hasArrived = true;
        return response;
      },
    });
    const request = failure(getStatus(indexer, { signal: caller.signal }));
    await expect.poll(() => server.requests.length).toBe(1);
    await expect.poll(() => hasArrived).toBe(goesOn);
    // Lets the client get as far as the server lets it.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    caller.abort(reason);
    expect(await request).toBe(reason);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  test("a signal that outlives many requests does not collect listeners", async () => {
    const server = await serve((_, response, turn) =>
      turn % 2 ? sendJson(response, status) : sendText(response, 503),
    );
    const { signal } = new AbortController();
    const indexer = openIndexer(server.url, { retry: { minDelayMs: 1 } });
    for (let turn = 0; turn < 5; turn += 1) await getStatus(indexer, { signal });
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});
