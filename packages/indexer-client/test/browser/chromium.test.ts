import { beforeAll, expect, test } from "vitest";
import { started } from "@vipscore/testkit/started";
import { sendText, serve, type HttpServer } from "../httpServer.ts";
import { playIndexer, recordedTokens, token } from "../playedIndexer.ts";
import { openBrowserPage } from "./openBrowserPage.ts";

/** The page has another origin than the indexer, which must allow it. */
const headers = { "access-control-allow-origin": "*" };
const collectionAddr = "0xc100000000000000000000000000000000000001";

const browser = started(() => openBrowserPage());

beforeAll(async () => {
  console.log(`Chromium ${browser.page.context().browser()?.version() ?? ""}`);
});
test("a page of a listing", async () => {
  const { url, requests } = await playIndexer(recordedTokens, { headers });
  const page = await browser.page.evaluate(
    (base) => vipscore.tokensByAccount(vipscore.openIndexer(base), "0xaa").page({ limit: 5, countTotal: true }),
    url,
  );
  expect(page).toMatchObject({ total: 250, previousKey: null, nextKey: expect.any(String) as string });
  expect(page.items).toEqual(recordedTokens.toSorted((a, b) => (a.nft.token_id < b.nft.token_id ? 1 : -1)).slice(0, 5));
  // No preflight: each request is an intended one.
  expect(requests).toHaveLength(1);
});

test("iteration returns every token once, including ids in other scripts", async () => {
  const tokens = [...recordedTokens, token("鳥 🐦", 400), token("ä/?#%", 401)];
  const { url } = await playIndexer(tokens, { headers });
  const ids = await browser.page.evaluate(
    async ([base, collection]) => {
      const listing = vipscore.tokensByCollection(vipscore.openIndexer(base), collection);
      const seen: string[] = [];
      for await (const { nft } of listing.items({ limit: 7 })) seen.push(nft.token_id);
      return seen;
    },
    [url, collectionAddr] as const,
  );
  expect(ids.toSorted()).toEqual(tokens.map(({ nft }) => nft.token_id).toSorted());
});

test("the next page is requested while the current one is used", async () => {
  const { url, requests } = await playIndexer(recordedTokens, { headers });
  const first = await browser.page.evaluate(
    async ([base, collection]) => {
      const tokens = vipscore.tokensByCollection(vipscore.openIndexer(base), collection).items({ limit: 10 });
      return (await tokens.next()).value?.nft.token_id;
    },
    [url, collectionAddr] as const,
  );
  expect(first).toBe("99");
  await expect.poll(() => requests.length).toBe(2);
});

test("an abort ends the request with the caller's reason", async () => {
  const server = await serve(() => undefined);
  const answer = browser.page.evaluate(async (base) => {
    const caller = new AbortController();
    Object.assign(globalThis, { stop: () => caller.abort(new Error("enough")) });
    return vipscore.getStatus(vipscore.openIndexer(base), { signal: caller.signal }).then(
      () => "answered",
      (error: unknown) => String(error),
    );
  }, server.url);
  await expect.poll(() => server.requests.length).toBe(1);
  await browser.page.evaluate("stop()");
  expect(await answer).toBe("Error: enough");
  await expect.poll(server.leftEarly).toBe(1);
});

/** The code and class of the error of a status request in the page after two attempts. */
function failure(base: string): Promise<unknown> {
  return browser.page.evaluate(async (url) => {
    const indexer = vipscore.openIndexer(url, { timeoutMs: Infinity, retry: { attempts: 2, minDelayMs: 1 } });
    return vipscore.getStatus(indexer).then(
      () => "answered",
      (error: unknown) => {
        const isOfClass = error instanceof vipscore.IndexerRequestError;
        const { code, name, status } = Object(error);
        return { isOfClass, code, name, status };
      },
    );
  }, base);
}

/**
 * {@link failure} with a server that never ends an answer: the page's clock passes the client's limit once the request arrives.
 */
async function failureInTime(server: HttpServer): Promise<unknown> {
  const { clock } = browser.page;
  await clock.install();
  // The clock stops an hour ahead, which is in the page's future however slow the browser is.
  await clock.pauseAt((await browser.page.evaluate(() => Date.now())) + 3_600_000);
  const request = failure(server.url);
  for (const attempt of [1, 2]) {
    // One millisecond each time for the pause between the attempts.
    await expect.poll(() => clock.runFor(1).then(() => server.requests.length)).toBe(attempt);
    await clock.runFor(30_000);
    await expect.poll(server.leftEarly).toBe(attempt);
  }
  await clock.resume();
  return request;
}

test("no answer in time, a web page, an error, a body without end", async () => {
  const silent = await serve(() => undefined);
  expect(await failureInTime(silent)).toMatchObject({ isOfClass: true, code: "INDEXER_TIMEOUT" });
  expect(silent.requests).toHaveLength(2);
  const page = await serve((_, response) =>
    response.writeHead(200, { ...headers, "content-type": "text/html" }).end("<!doctype html><title>hello</title>"),
  );
  expect(await failure(page.url)).toEqual({
    isOfClass: true,
    code: "INDEXER_BAD_ANSWER",
    name: "IndexerBadAnswerError",
    status: 200,
  });
  const failing = await serve((_, response) => sendText(response, 500, "Internal Server Error", headers));
  expect(await failure(failing.url)).toMatchObject({ code: "INDEXER_SERVER_ERROR", status: 500 });
  const drip = await serve((_, response) => {
    response.writeHead(200, { ...headers, "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  });
  expect(await failureInTime(drip)).toMatchObject({ code: "INDEXER_TIMEOUT" });
});

test("a server that does not allow the page's origin is a network error that names CORS, and is not asked again", async () => {
  const { url, requests } = await playIndexer(recordedTokens);
  expect(await failure(url)).toMatchObject({ isOfClass: true, code: "INDEXER_UNREACHABLE" });
  // The second is the one that finds out why.
  expect(requests).toHaveLength(2);
  const status = (base: string) =>
    vipscore.getStatus(vipscore.openIndexer(base)).catch((error: unknown) => String(error));
  expect(await browser.page.evaluate(status, url)).toMatch(/\bCORS\b/);
  expect(browser.complaints.join("\n")).toContain("blocked by CORS policy");
});

test("options of TanStack Query, holders and addresses", async () => {
  const { url } = await playIndexer(recordedTokens, { headers });
  const read = await browser.page.evaluate(
    async ([base, collection]) => {
      const indexer = vipscore.openIndexer(base);
      const { signal } = new AbortController();
      const options = vipscore.infinitePagesQuery(vipscore.tokensByCollection(indexer, collection), { limit: 100 });
      const rows: number[] = [];
      for (let key = options.initialPageParam, turn = 0; turn < 10; turn += 1) {
        const page = await options.queryFn({ pageParam: key, signal });
        rows.push(page.items.length);
        key = options.getNextPageParam(page);
        if (key === null) break;
      }
      const status = await vipscore.statusQuery(indexer).queryFn({ signal });
      const { tokens, holders } = await vipscore.readHolders(indexer, collection);
      const address = vipscore.decodeAddress("init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz");
      return { rows, chain: status.chain_id, tokens, holders: [...holders], address };
    },
    [url, collectionAddr] as const,
  );
  expect(read).toEqual({
    rows: [100, 100, 50, 0],
    chain: "rly-1",
    tokens: 250,
    holders: [["0x00000000000000000000000000000000000000aa", 250]],
    address: "0xaaaa00000000000000000000000000000000aaaa",
  });
});

test("metadata, where there is no process and no Buffer", async () => {
  const { page } = browser;
  const uri = `ipfs://${"Q".repeat(46)}/1`;
  await page.route("https://ipfs.io/**", (route) => route.abort());
  await page.route("https://dweb.link/**", (route) =>
    route.fulfill({ headers, json: { name: "鳥", image: uri, attributes: [{ trait_type: "Color", value: "red" }] } }),
  );
  await page.route("https://big.example/", (route) => route.fulfill({ headers, body: " ".repeat(2_000_000) }));
  await page.route("https://none.example/", (route) => route.fulfill({ headers, status: 404 }));
  const read = await page.evaluate(
    async (uris) => ({
      globals: typeof process + typeof Buffer,
      results: await Promise.all(uris.map((each) => vipscore.readMetadata(each))),
    }),
    [uri, 'data:application/json;utf8,{"name":"#1"}', "https://big.example/", "https://none.example/", "http://x/"],
  );
  expect(read).toMatchObject({
    globals: "undefinedundefined",
    results: [
      { ok: true, metadata: { name: "鳥", image: `https://ipfs.io/ipfs/${"Q".repeat(46)}/1` } },
      { ok: true, metadata: { name: "#1", attributes: [] } },
      { ok: false, reason: "METADATA_TOO_LARGE" },
      { ok: false, reason: "METADATA_STATUS" },
      { ok: false, reason: "METADATA_SCHEME" },
    ],
  });
});
