import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { openIndexer, tokensByCollection, type NftToken } from "../src/index.ts";
import { sendJson, sendText, serve } from "./httpServer.ts";
import { playIndexer, recordedTokens } from "./playedIndexer.ts";

const collectionAddr = "0xc100000000000000000000000000000000000001";

const idOf = ({ nft }: NftToken) => nft.token_id;

test("only the next page is requested while the current one is used", async () => {
  const { url, requests } = await playIndexer(recordedTokens);
  const pages = tokensByCollection(openIndexer(url), collectionAddr).pages({ limit: 50 });
  expect(requests).toHaveLength(0);
  for (let asked = 1; asked <= 5; asked += 1) {
    expect((await pages.next()).done).toBe(false);
    // Requested ahead of the caller; the fifth page is full by keyset, so an empty sixth follows.
    await expect.poll(() => requests.length).toBe(asked + 1);
  }
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(requests).toHaveLength(6);
  expect((await pages.next()).done).toBe(true);
  expect(requests).toHaveLength(6);
});

test("the server and the caller work at the same time", async () => {
  const held: (() => void)[] = [];
  const { url } = await playIndexer(recordedTokens, {
    onRequest: (turn) => (turn === 0 ? undefined : new Promise<void>((resolve) => held.push(resolve))),
  });
  let worked = 0;
  for await (const page of tokensByCollection(openIndexer(url), collectionAddr).pages({ limit: 125 })) {
    // The server withholds the next page until the caller uses this one.
    await expect.poll(() => held.length).toBe(1);
    held.shift()?.();
    worked += page.items.length;
  }
  expect(worked).toBe(250);
});

test("leaving early ends the pending request and drops its error", async () => {
  const server = await serve((_, response, turn) => {
    if (turn > 0) return;
    const tokens = recordedTokens.slice(0, 2);
    sendJson(response, { tokens, pagination: { previous_key: null, next_key: "Mg==", total: "9" } });
  });
  const { signal } = new AbortController();
  for await (const first of tokensByCollection(openIndexer(server.url), collectionAddr).items({ limit: 2, signal })) {
    expect(idOf(first)).toBe("0");
    await expect.poll(() => server.requests.length).toBe(2);
    break;
  }
  await expect.poll(server.leftEarly).toBe(1);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test("a failure of the next page comes after the rows of this one", async () => {
  const server = await serve((_, response, turn) => {
    if (turn > 0) return sendText(response, 400, "no more");
    const tokens = recordedTokens.slice(0, 3);
    sendJson(response, { tokens, pagination: { previous_key: null, next_key: "Mw==", total: "9" } });
  });
  const ids: string[] = [];
  const walk = async () => {
    for await (const row of tokensByCollection(openIndexer(server.url), collectionAddr).items({ limit: 3 })) {
      await expect.poll(() => server.requests.length).toBe(2);
      ids.push(idOf(row));
    }
  };
  await expect(walk()).rejects.toMatchObject({ code: "INDEXER_BAD_REQUEST", details: "no more" });
  expect(ids).toEqual(["0", "1", "2"]);
});

test.each(["before the first page", "between two rows", "while the next page is awaited"])(
  "an abort %s ends the walk with the caller's reason",
  async (moment) => {
    const server = await serve((_, response, turn) => {
      if (turn > 0) return;
      const tokens = recordedTokens.slice(0, 2);
      sendJson(response, { tokens, pagination: { previous_key: null, next_key: "Mg==", total: "9" } });
    });
    const caller = new AbortController();
    const reason = new Error("enough");
    if (moment === "before the first page") caller.abort(reason);
    let rows = 0;
    const walk = async () => {
      const listing = tokensByCollection(openIndexer(server.url), collectionAddr);
      for await (const _ of listing.items({ limit: 2, signal: caller.signal })) {
        rows += 1;
        if (moment === "between two rows") caller.abort(reason);
        else if (rows === 2) setImmediate(() => caller.abort(reason));
      }
    };
    await expect(walk()).rejects.toBe(reason);
    const expected = { "before the first page": 0, "between two rows": 1 }[moment] ?? 2;
    expect(rows).toBe(expected);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  },
);
