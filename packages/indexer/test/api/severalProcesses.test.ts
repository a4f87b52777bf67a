import { Hono } from "hono";
import { expect, it, onTestFinished } from "vitest";
import { createApi } from "../../src/api/createApi.ts";
import { serveApi } from "../../src/api/serveApi.ts";
import { openStore, openStoreToRead } from "../../src/store/openStore.ts";
import { address, apply, block, collection, mint } from "../store/blocks.ts";
import { openNew, temporaryFile } from "../store/databases.ts";
import { nft } from "./sample.ts";

const listing = `${nft}/tokens/by_collection/c1`;

it("answers 503 with Retry-After while the index is too far behind, and shows the lag", async () => {
  const store = await openNew(async () => ":memory:");
  const api = createApi({ store, maxLag: 10 });
  const answer = async (path: string) => {
    const response = await api.request(path);
    return [response.status, response.headers.get("retry-after")];
  };
  expect(await answer("/healthz")).toEqual([200, null]);
  expect(await answer("/readyz")).toEqual([503, "10"]);
  await apply(store, block(5, collection(address("c1"))));
  // No follower runs.
  expect(await answer("/readyz")).toEqual([503, "10"]);

  const fresh = (now: number) => createApi({ store, maxLag: now });
  await store.noteHead(20, Date.now());
  const status: unknown = await (await api.request("/status")).json();
  expect(status).toMatchObject({ height: 5, lag: 15, seen_at: expect.stringMatching(/^\d{4}-/) });
  for (const path of ["/readyz", listing]) {
    const behind = await fresh(14).request(path);
    expect([behind.status, behind.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await behind.text()).toContain("15 blocks");
    expect((await fresh(15).request(path)).status).toBe(200);
    expect((await createApi({ store }).request(path)).status).toBe(200);
  }
  // What was seen long ago says nothing.
  await store.noteHead(5, Date.now() - 3_600_000);
  expect((await fresh(15).request(listing)).status).toBe(503);
});

it("serves only its state without listings", async () => {
  const store = await openNew(async () => ":memory:");
  await apply(store, block(1, collection(address("c1"))));
  const api = createApi({ store, listings: [] });
  expect((await api.request("/readyz")).status).toBe(200);
  expect((await api.request("/status")).status).toBe(200);
  expect((await api.request(listing)).status).toBe(404);
});

it("reads a database that another store writes, and writes nothing to it", async () => {
  const file = await temporaryFile();
  await expect(openStoreToRead(file)).rejects.toMatchObject({ code: "DATABASE_UNREACHABLE" });
  const writer = await openStore(file);
  onTestFinished(() => writer.close());
  await apply(writer, block(1, collection(address("c1")), mint(address("c1"), "1", address("aa"))));
  const reader = await openStoreToRead(file);
  onTestFinished(() => reader.close());
  expect(await reader.countTokens({ owner: address("aa") })).toBe(1);
  await apply(writer, block(2, mint(address("c1"), "2", address("aa"))));
  expect(await reader.countTokens({ owner: address("aa") })).toBe(2);
});

it("announces how long it keeps an idle connection", async () => {
  const server = await serveApi({ api: new Hono(), host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  const response = await fetch(server.url);
  expect(response.headers.get("keep-alive")).toBe("timeout=10");
});

it("finishes the requests it has when it closes, and asks for another connection", async () => {
  const api = new Hono();
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const asked = new Promise<void>((resolve) => {
    api.get("/slow", async (c) => {
      resolve();
      await finished;
      return c.text("whole");
    });
  });
  const server = await serveApi({ api, host: "127.0.0.1", port: 0 });
  const slow = fetch(`${server.url}/slow`);
  await asked;
  const closing = server.close();
  await expect(fetch(server.url)).rejects.toThrow();
  finish();
  const response = await slow;
  expect(response.headers.get("connection")).toBe("close");
  expect(await response.text()).toBe("whole");
  await closing;
});
