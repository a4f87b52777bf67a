import { expect, test } from "vitest";
import { IndexerBadAnswerError, openIndexer } from "../src/index.ts";
import { getAccount, getStages, listAccounts } from "../src/scores.ts";
import { serve } from "./httpServer.ts";

const stage = { stage: "4", total: "9", accounts: 1, is_finalized: true, revision: null, digest: null, height: 7 };
const row = { account: "0xaa", score: "9", rank: 1, share: 1 };

async function answering(body: unknown) {
  const server = await serve((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body)),
  );
  return openIndexer(server.url, { retry: { attempts: 1 } });
}

test.each([
  ["total", { ...stage, total: 9 }],
  ["total", { ...stage, total: "-9" }],
  ["revision", { ...stage, revision: 1 }],
  ["is_finalized", { ...stage, is_finalized: "true" }],
  ["height", { ...stage, height: 1.5 }],
])("a stage with a wrong %s is refused", async (field, wrong) => {
  const read = getStages(await answering({ stages: [stage, wrong] }));
  await expect(read).rejects.toThrow(IndexerBadAnswerError);
  await expect(read).rejects.toThrow(`stages.1.${field}`);
});

test.each([
  ["score", { ...row, score: 9 }],
  ["rank", { ...row, rank: "1" }],
  ["share", { ...row, share: null }],
])("a row with a wrong %s is refused, in a page and beside an account", async (field, wrong) => {
  const page = { accounts: [row, wrong], pagination: { previous_key: null, next_key: null, total: "2" } };
  await expect(listAccounts(await answering(page), 4n).page()).rejects.toThrow(`accounts.1.${field}`);
  const account = { ...row, above: [wrong], below: [], stage };
  await expect(getAccount(await answering(account), 4n, "0xaa")).rejects.toThrow(`above.0.${field}`);
});

test("another server's 404 is no missing stage", async () => {
  const server = await serve((_, response) =>
    response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found"),
  );
  await expect(getStages(openIndexer(server.url))).rejects.toThrow(IndexerBadAnswerError);
});
