import { allowedAnswers, type ApiRequest } from "./apiRules.ts";
import type { ChainData } from "./chainData.ts";
import { findDifference } from "./matchAnswer.ts";
import type { Answer } from "./rules/answer.ts";

/** An answer that the rules do not allow. */
export interface Difference {
  readonly request: ApiRequest;
  /** The broken rule. */
  readonly expected: string;
  readonly got: Answer;
}

/** The results of a server. */
export interface Comparison {
  /** Number of answers that were compared. */
  readonly compared: number;
  readonly differences: readonly Difference[];
}

/** Sends a request and returns the answer. */
export type Send = (request: ApiRequest) => Promise<Answer>;

/** Sends requests to an indexer; paths are kept unchanged. */
export function sendTo(url: string): Send {
  return async ({ path, query }) => {
    const response = await fetch(`${url}${path}${query && `?${query}`}`, { redirect: "manual" });
    const contentType = response.headers.get("content-type") ?? "";
    return { status: response.status, contentType, body: await response.text() };
  };
}

/** Maximum pages of a walk. */
const maxPages = 25;

/**
 * Sends requests, one after the other, and compares the answers with the rules. The first pages of walks are followed by the
 * pages in `next_key`, each compared like any other.
 */
export async function runRequests(
  send: Send,
  data: ChainData,
  { requests, walks }: { readonly requests: readonly ApiRequest[]; readonly walks: readonly ApiRequest[] },
): Promise<Comparison> {
  let compared = 0;
  const differences: Difference[] = [];
  const compare = async (request: ApiRequest): Promise<Answer> => {
    const got = await send(request);
    const expected = findDifference(allowedAnswers(data, request), got);
    compared += 1;
    if (expected !== undefined) differences.push({ request, expected, got });
    return got;
  };
  for (const request of requests) await compare(request);
  for (const first of walks) {
    const known = differences.length;
    let request: ApiRequest | undefined = first;
    // A walk that went wrong says nothing about the pages after it.
    for (let page = 0; request && page < maxPages && differences.length === known; page += 1) {
      request = nextRequest(request, await compare(request));
    }
  }
  return { compared, differences };
}

function nextRequest(request: ApiRequest, answer: Answer): ApiRequest | undefined {
  const { pagination } = JSON.parse(answer.status === 200 ? answer.body : "{}") as {
    readonly pagination?: { readonly next_key?: unknown };
  };
  const key = pagination?.next_key;
  if (typeof key !== "string") return undefined;
  const query = new URLSearchParams(request.query);
  query.set("pagination.key", key);
  return { ...request, query: String(query) };
}
