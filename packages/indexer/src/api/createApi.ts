import { Hono, type Context } from "hono";
import { cors } from "hono/cors";
import { VipError } from "@vipscore/core";
import type { L1Watch } from "../follow/l1Watch.ts";
import type { StoredScores } from "../store/scores/scores.ts";
import type { Store, StoreStatus } from "../store/store.ts";
import { times } from "../times.ts";
import { answersKept, exposedHeaders, type AnswerKept } from "./answerKept.ts";
import { getClaims, getVestingPositions, type ClaimSources } from "./claimAnswers.ts";
import { collectionJson, listCollections, tokenTransactions } from "./collectionListings.ts";
import { currentLag, IndexerMetrics, lagOf, type HeadSeen } from "./indexerMetrics.ts";
import { headersOf, isKnown, KeptAnswers, type Body } from "./keptAnswers.ts";
import { openApi } from "./openApi.ts";
import { pageAnswer, type Listing } from "./pageAnswer.ts";
import { accountOf, BadRequest, collectionAddrOf } from "./requestParameters.ts";
import { accountListing, getAccount, getAccountInStage, getStage, listStages, ofStage } from "./scoreAnswers.ts";
import { ScoreIndex } from "./scoreIndex.ts";
import { scorePage, type ScorePage } from "./scorePage.ts";
import { tokensByAccount, tokensByCollection } from "./tokenListings.ts";
import { withinTime } from "./withinTime.ts";

/** Options of the API. */
export interface ApiOptions {
  readonly store: Store;
  /** Version in `/status`. Default: `dev`. */
  readonly version?: string | undefined;
  /** Origins of web pages that may read the API, `*` for all. Default: none, as on a real indexer. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** The kinds of data to serve besides the state of the index. Default: both. */
  readonly listings?: readonly ("nfts" | "scores")[] | undefined;
  /** What shows the claims of scores. Default: none are served. */
  readonly l1?: L1Watch | undefined;
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

/** The API; {@link Api.answerKept} is faster for the requests that it answers. */
export interface Api extends Hono {
  readonly answerKept: AnswerKept;
}

const base = "/indexer/nft/v1";
const scoreBase = "/scores/v1";

/**
 * Creates the NFT indexer API over a store.
 *
 * Status, texts and headers are as recorded from a real indexer, except `x-cache`: no answer here is out of date.
 */
export function createApi(options: ApiOptions): Api {
  const {
    store,
    version = "dev",
    corsOrigins,
    listings = ["nfts", "scores"],
    l1,
    maxLag,
    onError = console.error,
  } = options;
  const { metrics = new IndexerMetrics() } = options;
  const api = new Hono({ strict: false });
  if (corsOrigins?.length) {
    const origin = corsOrigins.includes("*") ? "*" : [...corsOrigins];
    // A page cannot read these headers otherwise.
    api.use(cors({ origin, allowMethods: ["GET", "HEAD"], exposeHeaders: [...exposedHeaders] }));
  }
  api.use(async (c, next) => {
    const started = performance.now();
    await next();
    metrics.countRequest(c.res.status, (performance.now() - started) / 1000);
  });
  const list = <Row, After>(listing: Listing<Row, After>) => pageAnswer(listing, onError);
  const index = new ScoreIndex(store.scores);
  const kindOf = (kind: Pick<Kind, "readVersion" | "readState" | "noSuch" | "routes">): Kind => {
    const { readVersion, readState } = kind;
    const onKept = () => metrics.countKept();
    const kept = new KeptAnswers({ readVersion: () => withinTime(readVersion()), onKept });
    return { ...kind, kept, checkLag: createLagCheck(readState, maxLag) };
  };
  const nfts = kindOf({
    readVersion: store.readVersion,
    readState: store.readStatus,
    noSuch: "nft collection not found",
    routes: {
      [`${base}/tokens/by_account/:account`]: (c) => list(tokensByAccount(store, written(c, 6), queryOf(c))),
      [`${base}/tokens/by_collection/:collection_addr`]: (c) =>
        list(tokensByCollection(store, written(c, 6), queryOf(c))),
      [`${base}/collections`]: (c) => list(listCollections(store, {}, queryOf(c))),
      [`${base}/collections/by_account/:account`]: (c) =>
        list(listCollections(store, { owner: accountOf(written(c, 6)) }, queryOf(c))),
      [`${base}/collections/by_name/:name`]: (c) =>
        list(listCollections(store, { name: decoded(c, "name") }, queryOf(c))),
      [`${base}/collections/:collection_addr`]: async (c) => {
        const collection = await store.readCollection(collectionAddrOf(written(c, 5)));
        return collection && `{"collection":${collectionJson(collection)}}`;
      },
      [`${base}/txs/:collection_addr/:token_id`]: (c) =>
        list(tokenTransactions(store, written(c, 5), decoded(c, "token_id"), queryOf(c))),
    },
  });
  const scores = kindOf({
    readVersion: async () => `${await store.scores.readVersion()} ${l1?.version}`,
    readState: store.scores.read,
    noSuch: "stage not found",
    routes: {
      [`${scoreBase}/stages`]: () => listStages(index),
      [`${scoreBase}/stages/:stage`]: (c) => getStage(index, written(c, 4), l1?.view),
      [`${scoreBase}/stages/:stage/accounts`]: async (c) => {
        const listing = await accountListing(index, written(c, 4), queryOf(c));
        return listing && ofStage(listing.stage, await list(listing));
      },
      [`${scoreBase}/stages/:stage/accounts/:account`]: (c) => getAccountInStage(index, written(c, 4), written(c, 6)),
      [`${scoreBase}/accounts/:account`]: (c) => getAccount(index, written(c, 4)),
    },
  });
  const claims = kindOf({ ...scores, ...claimKind(l1 && { index, openTree: store.scores.openTree, l1 }, scores) });
  const kinds = [
    ...(listings.includes("nfts") ? [nfts] : []),
    ...(listings.includes("scores") ? [scores, claims] : []),
  ];
  let page: ScorePage | undefined;
  const routes: Record<string, (context: Context) => Promise<Response>> = {
    "/status": async () =>
      json(JSON.stringify(statusJson(version, await store.readStatus(), await store.scores.read(), l1))),
    "/healthz": async () => textResponse(200, "ok"),
    "/readyz": async () => {
      const reason = await whyNotReady([nfts, scores]);
      return reason === undefined ? textResponse(200, "ready") : unavailable(reason, times.retryBehindSeconds);
    },
    "/metrics": async () =>
      new Response(await metrics.text(store), { headers: { "content-type": metrics.contentType } }),
    ...(kinds.includes(scores) && { "/": async () => htmlResponse((page ??= scorePage())) }),
    "/openapi.json": async () => json(JSON.stringify(openApi)),
  };
  for (const { kept, checkLag, noSuch, routes: ofKind } of kinds) {
    for (const [path, compute] of Object.entries(ofKind)) {
      routes[path] = async (c) => {
        await checkLag();
        // Path and query, as in the request.
        const url = c.req.url.slice(c.req.url.indexOf("/", "https://".length));
        const answer = await kept.get(url, () => withinTime(compute(c)));
        if (answer === undefined) return textResponse(404, noSuch);
        if (isKnown(c.req.header("if-none-match"), answer)) {
          return new Response(null, { status: 304, headers: headersOf(answer, 304) });
        }
        return new Response(answer.body, { headers: headersOf(answer, 200) });
      };
    }
  }
  for (const [path, answer] of Object.entries(routes)) {
    api.get(path, (c) => withinTime(answer(c)));
    api.all(path, () => textResponse(405, "Method Not Allowed", { allow: "GET, HEAD" }));
  }
  api.notFound((c) => textResponse(404, `Cannot ${c.req.method} ${requestPath(c)}`));
  const failureOf = (error: unknown): Response => {
    if (error instanceof BadRequest) return textResponse(400, error.message);
    if (error instanceof Behind) return unavailable(error.message, times.retryBehindSeconds);
    onError(error);
    if (VipError.isVipError(error)) return unavailable("Service Unavailable", times.retryDownSeconds);
    return textResponse(500, "Internal Server Error");
  };
  api.onError(failureOf);
  return Object.assign(api, { answerKept: answersKept({ kinds, failureOf, metrics, corsOrigins }) });
}

/** Claims, which are not found without sources. What they say of an account is kept for some seconds. */
function claimKind(
  sources: ClaimSources | undefined,
  scores: Pick<Kind, "readVersion">,
): Pick<Kind, "readVersion" | "noSuch" | "routes"> {
  return {
    noSuch: "claims not found",
    readVersion: async () => `${await scores.readVersion()} ${Math.floor(Date.now() / times.readL1Ms)}`,
    routes: {
      [`${scoreBase}/accounts/:account/claims`]: async (c) => sources && getClaims(sources, written(c, 4)),
      "/vesting/positions/:account": async (c) => sources && getVestingPositions(sources, written(c, 3)),
    },
  };
}

/** A kind of data that the API lists. */
interface Kind {
  /** Reads what differs after every write that changes an answer. */
  readonly readVersion: () => Promise<string | number>;
  /** Reads up to where the data is indexed; undefined in a new database. */
  readonly readState: () => Promise<HeadSeen | undefined>;
  /** The text of the answer for what is not there. */
  readonly noSuch: string;
  readonly kept: KeptAnswers;
  /** Throws Behind if the index is too far behind. */
  readonly checkLag: () => Promise<void>;
  readonly routes: Readonly<Record<string, (context: Context) => Promise<Body | undefined>>>;
}

function json(body: string): Response {
  return new Response(body, { headers: { "content-type": "application/json", "cache-control": "no-store" } });
}

function htmlResponse({ html, policy }: ScorePage): Response {
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" };
  return new Response(html, { headers: { ...headers, "content-security-policy": policy } });
}

function unavailable(reason: string, seconds: number): Response {
  return textResponse(503, reason, { "retry-after": String(seconds) });
}

function textResponse(status: number, body: string, headers?: Readonly<Record<string, string>>): Response {
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

function requestPath(context: Context): string {
  return /^[a-z]+:\/\/[^/]*([^?#]*)/i.exec(context.req.url)?.[1] ?? "/";
}

/** A raw segment of the path: a real indexer does not percent-decode, and rejects percent-encoded addresses. */
function written(context: Context, segment: number): string {
  return requestPath(context).split("/")[segment] ?? "";
}

/** A decoded segment of the path, which may be any text. */
function decoded(context: Context, name: string): string {
  return context.req.param(name) ?? "";
}

function queryOf(context: Context): URLSearchParams {
  return new URL(context.req.url).searchParams;
}

/** The error of a request while the index is too far behind. */
class Behind extends Error {
  override readonly name: string = "Behind";
}

/** Creates the check before the answer of a listing, and of `/readyz`; it throws Behind, or a VipError of the store. */
function createLagCheck(readState: Kind["readState"], maxLag: number | undefined): () => Promise<void> {
  let read: { readonly lag: Promise<number | undefined>; readonly at: number } | undefined;
  return async () => {
    if (maxLag === undefined) return;
    if (read === undefined || performance.now() - read.at > times.readLagEveryMs) {
      read = { lag: readState().then(currentLag), at: performance.now() };
    }
    const lag = await read.lag;
    if (lag === undefined)
      throw new Behind("no follower has looked at the chain for a minute, or this database is a replica that stopped");
    if (lag > maxLag) throw new Behind(`the index is ${lag} blocks behind the chain, more than ${maxLag}`);
  };
}

/** Returns why the index cannot be served; undefined if it can. */
async function whyNotReady(kinds: readonly Kind[]): Promise<string | undefined> {
  try {
    let isIndexed = false;
    for (const { readState, checkLag } of kinds) {
      if ((await readState()) === undefined) continue;
      isIndexed = true;
      await checkLag();
    }
    return isIndexed ? undefined : "nothing is indexed yet";
  } catch (error) {
    if (error instanceof Behind) return error.message;
    if (VipError.isVipError(error)) return "the database does not answer";
    throw error;
  }
}

function statusJson(
  version: string,
  status: StoreStatus | undefined,
  scores: StoredScores | undefined,
  l1: L1Watch | undefined,
) {
  const { current } = l1?.view ?? {};
  const ofL1 = current ? { height: Number(current.height), time: current.time } : null;
  return {
    version,
    commit_hash: "unknown",
    chain_id: status?.chainId ?? scores?.contract.chainId ?? "",
    height: status?.height ?? scores?.height ?? 0,
    left_out: status?.leftOut ?? 0,
    pending_uris: status?.pendingUris ?? 0,
    ...headJson(status),
    ...(scores && {
      scores: { ...headJson(scores), height: scores.height, differences: scores.differences, l1: ofL1 },
    }),
  };
}

function headJson(state: HeadSeen | undefined) {
  return {
    lag: state === undefined ? 0 : lagOf(state),
    seen_at: state?.seen === undefined ? null : new Date(state.seen.at).toISOString(),
  };
}
