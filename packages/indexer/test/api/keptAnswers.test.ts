import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { VipError } from "@vipscore/core";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { createApi, type ApiOptions } from "../../src/api/createApi.ts";
import { serveApi } from "../../src/api/serveApi.ts";
import { startApi } from "../../src/startIndexer.ts";
import type { Store } from "../../src/store/openStore.ts";
import { createDatabase } from "../postgres/createDatabase.ts";
import { address, apply, block, collection, mint } from "../store/blocks.ts";
import { databases, openNew, temporaryFile } from "../store/databases.ts";
import { nft, openSample, type Answer } from "./sample.ts";

const listing = `${nft}/tokens/by_collection/c1`;

async function serve(store: Store, options: Partial<ApiOptions> = {}) {
  const { url, close } = await serveApi({ api: createApi({ store, ...options }), host: "127.0.0.1", port: 0 });
  onTestFinished(close);
  return url;
}

async function keptBy(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^vipscore_indexer_kept_answers_total (\d+)$/m.exec(text)?.[1]);
}

describe.each([
  ["a file of SQLite", temporaryFile],
  ["PostgreSQL", createDatabase],
])("%s, followed by another process", (_name, create) => {
  it("answers by no API with less than an earlier answer of another", async () => {
    const blocks = 20;
    const random = seededRandom(fuzzSeed());
    const database = await create();
    const heavy = join(import.meta.dirname, "..", "follow", "heavyProcess.ts");
    const args = ["--conditions=@vipscore/source", heavy, database, String(blocks), "together"];
    const follower = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void follower.kill("SIGKILL"));
    const following = { isDone: false };
    const ended = once(follower, "exit").finally(() => (following.isDone = true));
    /** The newest block that the follower or an answer has shown. */
    let shown = 0;
    const lines = createInterface(follower.stdout).on("line", (line) => (shown = Math.max(shown, Number(line))));
    await once(lines, "line");
    const urls = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const { url, stop } = await startApi({ database });
        onTestFinished(stop);
        return url;
      }),
    );
    const ask = async (url: string) => {
      const least = shown;
      const query = `order_by=height&pagination.limit=1&any=${random.below(4)}`;
      const answer = await fetch(`${url}${nft}/tokens/by_collection/${"cc".repeat(20)}?${query}`);
      const { tokens } = (await answer.json()) as { readonly tokens: readonly { readonly height: number }[] };
      const height = tokens[0]?.height ?? 0;
      expect(height).toBeGreaterThanOrEqual(least);
      shown = Math.max(shown, height);
    };
    const read = async () => {
      while (!following.isDone) await ask(random.pick(urls));
    };
    await Promise.all([ended, ...Array.from({ length: 12 }, read)]);
    expect([await ended, shown]).toEqual([[0, null], blocks]);
    for (const url of urls) {
      for (let round = 0; round < 5; round += 1) await ask(url);
      expect(await keptBy(url)).toBeGreaterThan(0);
    }
  });
});

describe.each(databases)("%s", (_name, create) => {
  it("has the same ETag until what it shows changes", async () => {
    const store = await openSample(create);
    const [url, other] = [await serve(store), await serve(store)];
    const etagOf = async (base: string, method = "GET") => {
      const answer = await fetch(base + listing, { method });
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      return answer.headers.get("etag");
    };
    const etag = await etagOf(url);
    expect([await etagOf(url), await etagOf(other), await etagOf(url, "HEAD")]).toEqual([etag, etag, etag]);
    await apply(store, block(4, mint(address("c2"), "9", address("aa"))), block(5));
    expect(await etagOf(url)).toBe(etag);
    expect(await keptBy(url)).toBe(2);
    await apply(store, block(6, mint(address("c1"), "9", address("aa"))));
    expect(await etagOf(url)).not.toBe(etag);
    expect(((await (await fetch(url + listing)).json()) as Answer).pagination.total).toBe("6");
  });
});

it("answers 304 without a body if the request has the answer, kept or not", async () => {
  const url = await serve(await openSample(async () => ":memory:"));
  for (const path of [listing, `${nft}/collections/c1`, `${nft}/txs/c1/1`]) {
    const etag = (await fetch(url + path)).headers.get("etag") ?? "";
    for (const query of ["", "?other=1"]) {
      for (const method of query === "" ? ["GET", "HEAD"] : ["GET"]) {
        const answer = await fetch(url + path + query, { method, headers: { "if-none-match": `"x", W/${etag}` } });
        const { status, headers } = answer;
        expect([status, headers.get("etag"), headers.get("cache-control"), await answer.text()]).toEqual([
          304,
          etag,
          "no-cache",
          "",
        ]);
        expect([headers.get("content-type"), headers.get("content-length")]).toEqual([null, null]);
      }
    }
    const changed = await fetch(url + path, { headers: { "if-none-match": '"x"' } });
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, etag]);
  }
  const missing = await fetch(`${url}${nft}/collections/c9`, { headers: { "if-none-match": "*" } });
  expect([missing.status, missing.headers.get("etag")]).toEqual([404, null]);
});

it.each([
  [undefined, undefined],
  [["*"], "https://a.example"],
  [["*"], undefined],
  [["https://a.example", "https://b.example"], "https://b.example"],
  [["https://a.example"], "https://c.example"],
])("answers alike, kept or not, to pages of %s for %s", async (corsOrigins, origin) => {
  const url = await serve(await openSample(async () => ":memory:"), { corsOrigins });
  const etag = (await fetch(`${url}${listing}?first`)).headers.get("etag") ?? "";
  for (const ifNoneMatch of ['"x"', etag]) {
    const ask = async () => {
      const path = `${listing}?${encodeURIComponent(ifNoneMatch)}`;
      const headers = { "if-none-match": ifNoneMatch, ...(origin === undefined ? {} : { origin }) };
      const answer = await fetch(url + path, { headers });
      return [answer.status, Object.fromEntries([...answer.headers, ["date", ""]]), await answer.text()];
    };
    const computed = await ask();
    expect(await ask()).toEqual(computed);
  }
  expect(await keptBy(url)).toBe(2);
});

it("answers no kept answer while the index is behind, or the database is away", async () => {
  const store = await openNew(async () => ":memory:");
  await apply(store, block(5, collection(address("c1"))));
  await store.noteHead(6, Date.now());
  let isAway = false;
  const readVersion = async () => {
    if (isAway) throw new VipError("away", { code: "DATABASE_UNREACHABLE" });
    return store.readVersion();
  };
  const onError = () => undefined;
  const url = await serve({ ...store, readVersion }, { maxLag: 10, corsOrigins: ["*"], onError });
  const ask = async () => {
    const { status, headers } = await fetch(url + listing);
    return [status, headers.get("retry-after"), headers.get("access-control-allow-origin")];
  };
  expect([await ask(), await ask(), await keptBy(url)]).toEqual([[200, null, "*"], [200, null, "*"], 1]);
  isAway = true;
  expect(await ask()).toEqual([503, "5", "*"]);
  isAway = false;
  expect(await ask()).toEqual([200, null, "*"]);
  await store.noteHead(16, Date.now());
  await expect.poll(ask).toEqual([503, "10", "*"]);
  await store.noteHead(15, Date.now());
  await expect.poll(ask).toEqual([200, null, "*"]);
  const { headers } = await fetch(`${url}/metrics`);
  expect(headers.get("etag")).toBeNull();
});
