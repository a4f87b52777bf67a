import { allowedAnswers, type ApiRequest } from "./apiRules.ts";
import type { ChainData } from "./chainData.ts";
import { findDifference } from "./matchAnswer.ts";
import type { GeneratedRequest } from "./requests/generatedRequest.ts";
import type { Answer } from "./rules/answer.ts";

/** An answer that the rules do not allow. */
export interface Difference {
  readonly request: GeneratedRequest;
  /** The broken rule. */
  readonly expected: string;
  readonly got: Answer;
}

/** The results of a server. */
export interface Comparison {
  /** Numbers of answers of each group that agreed and that differed. */
  readonly groups: ReadonlyMap<string, { readonly agreed: number; readonly differing: number }>;
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
  { requests, walks }: { readonly requests: readonly GeneratedRequest[]; readonly walks: readonly GeneratedRequest[] },
): Promise<Comparison> {
  const groups = new Map<string, { agreed: number; differing: number }>();
  const differences: Difference[] = [];
  const compare = async (request: GeneratedRequest): Promise<Answer> => {
    const got = await send(request);
    const expected = findDifference(allowedAnswers(data, request), got);
    const counts = groups.get(request.group) ?? { agreed: 0, differing: 0 };
    groups.set(request.group, counts);
    if (expected === undefined) counts.agreed += 1;
    else {
      counts.differing += 1;
      differences.push({ request, expected, got });
    }
    return got;
  };
  for (const request of requests) await compare(request);
  for (const first of walks) {
    const known = differences.length;
    let request: GeneratedRequest | undefined = first;
    // A walk that went wrong says nothing about the pages after it.
    for (let page = 0; request && page < maxPages && differences.length === known; page += 1) {
      request = nextRequest(request, await compare(request));
    }
  }
  return { groups, differences };
}

function nextRequest(request: GeneratedRequest, answer: Answer): GeneratedRequest | undefined {
  const { pagination } = JSON.parse(answer.status === 200 ? answer.body : "{}") as {
    readonly pagination?: { readonly next_key?: unknown };
  };
  const key = pagination?.next_key;
  if (typeof key !== "string") return undefined;
  const query = new URLSearchParams(request.query);
  query.set("pagination.key", key);
  return { ...request, query: String(query) };
}
