import { Hono, type Context } from "hono";
import { cors } from "hono/cors";
import { VipError } from "@vipscore/core";
import type { Store } from "../store/store.ts";
import { allCollections, collectionsByAccount, collectionsByName } from "./collectionListings.ts";
import { IndexerMetrics } from "./indexerMetrics.ts";
import { openApi } from "./openApi.ts";
import { pageAnswer, type Listing } from "./pageAnswer.ts";
import { Behind, createReadiness, whyNotReady } from "./readiness.ts";
import { BadRequest, collectionAddrOf } from "./requestParameters.ts";
import { collectionJson, statusJson } from "./rowJson.ts";
import { tokensByAccount, tokensByCollection } from "./tokenListings.ts";
import { tokenTransactions } from "./transactionListing.ts";
import { withinTime } from "./withinTime.ts";

/** Options of the API. */
export interface ApiOptions {
  readonly store: Store;
  /** Version in `/status`. Default: `dev`. */
  readonly version?: string | undefined;
  /** Origins of web pages that may read the API, `*` for all. Default: none, as on a real indexer. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** False to serve no listings, only the state of the index. Default: true. */
  readonly listings?: boolean | undefined;
  /**
   * Maximum number of blocks that the index may be behind the chain: above it, or if no follower runs, listings are
   * answered with status 503. Default: any.
   */
  readonly maxLag?: number | undefined;
  /** What `/metrics` serves. Default: only the state of the index and the requests. */
  readonly metrics?: IndexerMetrics | undefined;
  /** Called with errors that no request caused: a failed read, a row that cannot be written. Default: print them. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const base = "/indexer/nft/v1";

/** `Retry-After` while the database is down: about as long as a restart takes. */
const retryAfterSeconds = 5;

/** `Retry-After` while the index is behind: a follower catches up hundreds of blocks meanwhile. */
const behindRetryAfterSeconds = 10;

/**
 * Creates the NFT indexer API over a store.
 *
 * Status, texts and headers are as recorded from a real indexer, except `x-cache`: nothing is cached here.
 */
export function createApi(options: ApiOptions): Hono {
  const { store, version = "dev", corsOrigins, listings = true, maxLag, onError = console.error } = options;
  const { metrics = new IndexerMetrics() } = options;
  const readiness = createReadiness(store, maxLag);
  const api = new Hono({ strict: false });
  if (corsOrigins?.length) {
    api.use(cors({ origin: corsOrigins.includes("*") ? "*" : [...corsOrigins], allowMethods: ["GET", "HEAD"] }));
  }
  api.use(async (c, next) => {
    const started = performance.now();
    await next();
    metrics.countRequest(c.res.status, (performance.now() - started) / 1000);
  });
  const list = async <Row, After>(listing: Listing<Row, After>) => json(await pageAnswer(listing, onError));

  const ofListings: Routes = {
    [`${base}/tokens/by_account/:account`]: (c) => list(tokensByAccount(store, written(c, 6), queryOf(c))),
    [`${base}/tokens/by_collection/:collection_addr`]: (c) =>
      list(tokensByCollection(store, written(c, 6), queryOf(c))),
    [`${base}/collections`]: (c) => list(allCollections(store, queryOf(c))),
    [`${base}/collections/by_account/:account`]: (c) => list(collectionsByAccount(store, written(c, 6), queryOf(c))),
    [`${base}/collections/by_name/:name`]: (c) => list(collectionsByName(store, decoded(c, "name"), queryOf(c))),
    [`${base}/collections/:collection_addr`]: async (c) => {
      const collection = await store.readCollection(collectionAddrOf(written(c, 5)));
      return collection ? json(`{"collection":${collectionJson(collection)}}`) : text(404, noCollection);
    },
    [`${base}/txs/:collection_addr/:token_id`]: (c) =>
      list(tokenTransactions(store, written(c, 5), decoded(c, "token_id"), queryOf(c))),
  };
  const routes: Routes = {
    "/status": async () => json(JSON.stringify(statusJson(version, await store.readStatus()))),
    "/healthz": async () => text(200, "ok"),
    "/readyz": async () => {
      const reason = await whyNotReady(store, readiness);
      return reason === undefined ? text(200, "ready") : unavailable(reason, behindRetryAfterSeconds);
    },
    "/metrics": async () =>
      new Response(await metrics.text(store), { headers: { "content-type": metrics.contentType } }),
    "/openapi.json": async () => json(JSON.stringify(openApi)),
  };
  for (const [path, answer] of Object.entries(listings ? ofListings : {})) {
    routes[path] = async (c) => {
      await readiness.check();
      return answer(c);
    };
  }
  for (const [path, answer] of Object.entries(routes)) {
    api.get(path, (c) => withinTime(answer(c)));
    api.all(path, () => text(405, "Method Not Allowed", { allow: "GET, HEAD" }));
  }
  api.notFound((c) => text(404, `Cannot ${c.req.method} ${pathOf(c)}`));
  api.onError((error) => {
    if (error instanceof BadRequest) return text(400, error.message);
    if (error instanceof Behind) return unavailable(error.message, behindRetryAfterSeconds);
    onError(error);
    if (VipError.isVipError(error) && error.code === "DATABASE_UNREACHABLE") {
      return unavailable("Service Unavailable", retryAfterSeconds);
    }
    return text(500, "Internal Server Error");
  });
  return api;
}

type Routes = Record<string, (context: Context) => Promise<Response>>;

const noCollection = "nft collection not found";

function json(body: string): Response {
  return new Response(body, { headers: { "content-type": "application/json", "cache-control": "no-store" } });
}

function unavailable(reason: string, seconds: number): Response {
  return text(503, reason, { "retry-after": String(seconds) });
}

function text(status: number, body: string, headers?: Readonly<Record<string, string>>): Response {
  return new Response(body, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      // Messages quote the request: no browser may treat them as a page.
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      ...headers,
    },
  });
}

/** The request's raw path. */
function pathOf(context: Context): string {
  return /^[a-z]+:\/\/[^/]*([^?#]*)/i.exec(context.req.url)?.[1] ?? "/";
}

/** A raw segment of the path: a real indexer does not percent-decode, and rejects percent-encoded addresses. */
function written(context: Context, segment: number): string {
  return pathOf(context).split("/")[segment] ?? "";
}

/** A decoded segment of the path, which may be any text. */
function decoded(context: Context, name: string): string {
  return context.req.param(name) ?? "";
}

function queryOf(context: Context): URLSearchParams {
  return new URL(context.req.url).searchParams;
}
