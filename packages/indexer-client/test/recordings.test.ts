import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { getCollection, getStatus, openIndexer, tokensByAccount, tokensByCollection } from "../src/index.ts";
import { serve } from "./httpServer.ts";
import { playIndexer, recordedTokens } from "./playedIndexer.ts";

interface Recording {
  readonly note: string;
  readonly request: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const recordings = JSON.parse(
  readFileSync(new URL("recordings/nftIndexer.json", import.meta.url), "utf8"),
) as readonly Recording[];
const account = "0xaa";
const collectionAddr = "0x1d8e31d5071BB4072FFfc05B792685dCc5085BDe";

function recorded(note: string): Recording {
  const found = recordings.find((recording) => recording.note === note);
  if (!found) throw new Error(`no recording of ${note}`);
  return found;
}

/** The result of `ask` for a recorded answer. */
async function replay<T>(note: string, ask: (indexer: ReturnType<typeof openIndexer>) => Promise<T>) {
  const { status, contentType, body } = recorded(note);
  const server = await serve((_, response) => response.writeHead(status, { "content-type": contentType }).end(body));
  const indexer = openIndexer(server.url, { retry: { minDelayMs: 1 } });
  return { server, answer: await ask(indexer).catch((error: unknown) => error) };
}

const firstPage = (indexer: ReturnType<typeof openIndexer>) =>
  tokensByAccount(indexer, account).page({ countTotal: true });

test("a live page is read completely, including a token id of 78 digits", async () => {
  const { answer } = await replay("live minievm, 3 tokens", firstPage);
  const { tokens } = JSON.parse(recorded("live minievm, 3 tokens").body) as { tokens: unknown };
  expect(answer).toEqual({ items: tokens, nextKey: null, previousKey: null, total: 3 });
  expect(answer).toHaveProperty("items.1.nft.token_id", String(2n ** 256n - 1n));
});

test.each([
  ["first page", { nextKey: "MQ==", previousKey: null, total: 250 }, "99", 199],
  ["integer key", { nextKey: "MTE=", previousKey: "OQ==", total: 250 }, "9", 109],
  ["JSON key", { nextKey: "eyJoZWlnaHQiOjM0OCwidG9rZW5faWQiOiIyNDgifQ==", previousKey: null, total: 250 }, "248", 348],
])("%s", async (note, rest, tokenId, height) => {
  const { answer } = await replay(note, firstPage);
  expect(answer).toMatchObject({ ...rest, items: [{ nft: { token_id: tokenId }, height }] });
});

test("a total that is not counted, or that the server gave up counting, is null", async () => {
  const uncounted = await replay("count off", (indexer) =>
    tokensByAccount(indexer, account).page({ countTotal: false }),
  );
  expect(uncounted.answer).toMatchObject({ total: null });
  const server = await serve((_, response) => {
    const body = recorded("first page").body.replace(`"total":"250"`, `"total":"-1"`);
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  expect(await firstPage(openIndexer(server.url))).toMatchObject({ total: null });
});

test.each(["unknown account", "past end"])("%s: an empty page", async (note) => {
  const { answer } = await replay(note, firstPage);
  expect(answer).toMatchObject({ items: [], nextKey: null });
});

test("a collection and the status", async () => {
  const collection = await replay("collection", (indexer) => getCollection(indexer, collectionAddr));
  expect(collection.server.requests).toEqual([recorded("collection").request.slice(4)]);
  expect(collection.answer).toMatchObject({ collection: { name: "Good Cats", nfts: { length: 3 } }, height: 212 });
  const status = await replay("status", (indexer) => getStatus(indexer));
  expect(status.server.requests).toEqual(["/status"]);
  expect(status.answer).toEqual(JSON.parse(recorded("status").body));
});

const errors = recordings.filter(({ status }) => status >= 400);

test("error bodies are recorded", () => {
  expect(errors).toHaveLength(9);
});

test.each(errors)("$status $note", async ({ note, status, body }) => {
  const { server, answer } = await replay(note, firstPage);
  const code = {
    400: "INDEXER_BAD_REQUEST",
    404: note === "404" ? "INDEXER_BAD_ANSWER" : "INDEXER_NOT_FOUND",
    500: "INDEXER_SERVER_ERROR",
  }[status];
  expect(answer).toMatchObject({ code, status, details: body, retryable: false });
  expect(server.requests).toHaveLength(status === 500 ? 3 : 1);
});

const ofPlayedTokens = recordings.filter(({ request }) => /by_account\/0xaa(?:$|\?)/.test(request));

test.each(ofPlayedTokens)("the fake server answers as recorded: $note", async ({ request, status, body }) => {
  const { url } = await playIndexer(recordedTokens);
  const response = await fetch(url + request.slice(4));
  const text = await response.text();
  expect(response.status).toBe(status);
  // Go escapes three HTML characters; both servers count the total over the whole database.
  const escape = (json: string) =>
    json.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
  expect(status === 200 ? escape(text) : text).toBe(body);
});

test("every part of a path and of a query is sent as the server reads it", async () => {
  const { requests, url } = await serve((_, response) =>
    response.writeHead(404, { "content-type": "text/plain" }).end("nft collection not found"),
  );
  const indexer = openIndexer(`${url}/base/?token=secret-token`);
  const listing = tokensByCollection(indexer, "0xc1", { tokenId: "a+b c/ü&=%", orderBy: "height", reverse: false });
  await expect(listing.page({ key: "a+/=", limit: 7 })).rejects.toMatchObject({ code: "INDEXER_NOT_FOUND" });
  expect(requests).toHaveLength(1);
  const asked = new URL(requests[0] ?? "", url);
  expect(asked.pathname).toBe("/base/indexer/nft/v1/tokens/by_collection/0xc1");
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    token: "secret-token",
    token_id: "a+b c/ü&=%",
    order_by: "height",
    "pagination.reverse": "false",
    "pagination.limit": "7",
    "pagination.count_total": "true",
    "pagination.key": "a+/=",
  });
});
