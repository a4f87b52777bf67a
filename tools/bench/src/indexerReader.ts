import { createHash } from "node:crypto";
import { openIndexer, tokensByCollection } from "@vipscore/indexer-client";
import { heightOf, largeCollection, largeHolder } from "./indexerTokens.ts";

/** Result of a reader. */
export interface ReaderResult {
  readonly seconds: number;
  readonly peakRss: number;
  /** Number of tokens, or of pages for `depth`. */
  readonly count: number;
  /** SHA-256 of the sorted token ids, each followed by a line feed. */
  readonly sha256?: string;
  /** Time per page, in milliseconds. */
  readonly pageMs?: { readonly p50: number; readonly p95: number; readonly max: number };
}

/** Method of reading a large listing. */
export type Reader = "client" | "depth" | "plain";

/** Rows per page at random depth. */
const depthLimit = 100;

/** Pages at random depth: warm-up pages, then measured pages. */
const warmUpPages = 50;
const measuredPages = 1_000;

/**
 * A separate process that reads a served database: `indexerReader plain|client|depth <url> <tokens>`. Sends a
 * {@link ReaderResult} to its parent.
 */
const [, , reader, url = "", tokens] = process.argv;
const started = performance.now();
const found = reader === "depth" ? await readDepths(Number(tokens)) : await readAll();
const seconds = (performance.now() - started) / 1_000;
// The peak is read before sorting the ids, which only this reader needs.
const peakRss = process.resourceUsage().maxRSS * 1024;
const result: ReaderResult = Array.isArray(found)
  ? { seconds, peakRss, count: found.length, sha256: hashOf(found) }
  : { seconds, peakRss, count: measuredPages, pageMs: found };
process.send?.(result, () => process.disconnect());

async function readAll(): Promise<string[]> {
  const ids: string[] = [];
  const listing = reader === "client" ? idsByClient() : idsOneAfterTheOther();
  for await (const id of listing) ids.push(id);
  return ids;
}

async function* idsByClient(): AsyncGenerator<string> {
  for await (const token of tokensByCollection(openIndexer(url), largeCollection)) yield token.nft.token_id;
}

/** The loop that the API's page suggests: follow `next_key` to the end. */
async function* idsOneAfterTheOther(): AsyncGenerator<string> {
  let key: string | null = "";
  while (key !== null) {
    const query = new URLSearchParams({ "pagination.limit": "1000", "pagination.count_total": "false" });
    if (key !== "") query.set("pagination.key", key);
    const page = await readPage(`/indexer/nft/v1/tokens/by_collection/${largeCollection}?${String(query)}`);
    for (const { nft } of page.tokens) yield nft.token_id;
    key = page.pagination.next_key;
  }
}

/** Pages of the large holder after random rows, in each order and direction, counted as the API does by default. */
async function readDepths(count: number): Promise<NonNullable<ReaderResult["pageMs"]>> {
  const times: number[] = [];
  for (let turn = -warmUpPages; turn < measuredPages; turn += 1) {
    const index = Math.floor(Math.random() * count);
    const row = { height: heightOf(index), token_id: String(index + 1), collection_addr: largeCollection };
    const query = new URLSearchParams({
      "pagination.limit": String(depthLimit),
      "pagination.key": Buffer.from(JSON.stringify(row)).toString("base64"),
      "pagination.reverse": String(turn % 2 === 0),
      order_by: turn % 4 < 2 ? "token_id" : "height",
    });
    const begun = performance.now();
    await readPage(`/indexer/nft/v1/tokens/by_account/${largeHolder}?${String(query)}`);
    if (turn >= 0) times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

interface PageBody {
  readonly tokens: readonly { readonly nft: { readonly token_id: string } }[];
  readonly pagination: { readonly next_key: string | null };
}

async function readPage(path: string): Promise<PageBody> {
  const response = await fetch(url + path);
  if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`);
  return (await response.json()) as PageBody;
}

function hashOf(ids: string[]): string {
  const hash = createHash("sha256");
  for (const id of ids.sort()) hash.update(`${id}\n`);
  return hash.digest("hex");
}
