import { onTestFinished, TestRunner } from "vitest";
import { splitCalls, type RpcCall } from "./proxy/rpcCalls.ts";
import { forward, startProxy, type ProxyRequest, type Reply } from "./proxy/startProxy.ts";

/** One answer of the server: a status and a body; an object is sent as JSON. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Cut the connection, or stay silent, instead of answering. */
  readonly instead?: "cut" | "silence";
}

/** A request that the server received; its path is without the query. */
export interface SeenRequest extends ProxyRequest {
  readonly query: URLSearchParams;
}

/** A server for answers that a local node cannot produce. */
export interface ScriptedServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Ends it before its test does. */
  readonly close: () => Promise<void>;
}

const noRoute: ScriptedAnswer = { status: 501, body: { code: 12, message: "Not Implemented", details: [] } };

/**
 * A server's answers: for each path, the answers to its requests in order, the last one for all further requests; `/*` as the
 * last part of a path matches any. Or a function of the request and the earlier ones. Without an answer, the server reports
 * a missing route like a node.
 */
export type Script = AnswersByPath | AnswerTo;
type AnswersByPath = Readonly<Record<string, readonly ScriptedAnswer[]>>;
type AnswerTo = (
  request: SeenRequest,
  earlier: readonly SeenRequest[],
) => ScriptedAnswer | undefined | Promise<ScriptedAnswer>;

/** Starts a server that answers by a script. It ends with the test that started it, otherwise with the process. */
export async function script(answers: Script): Promise<ScriptedServer> {
  const answerTo = typeof answers === "function" ? answers : byPath(answers);
  const requests: SeenRequest[] = [];
  const { url, close } = await startProxy(async (request) => {
    const { pathname: path, searchParams: query } = new URL(request.path, "http://server");
    const seen = { ...request, path, query };
    const answer = answerTo(seen, requests) ?? noRoute;
    requests.push(seen);
    return replyOf(await answer);
  });
  const test = TestRunner.getCurrentTest();
  // Of tests that run at the same time, any may be the current one.
  if (test !== undefined && test.concurrent !== true) onTestFinished(close);
  return { url, requests, close };
}

function replyOf({ status = 200, body = {}, headers = {}, instead }: ScriptedAnswer): Reply {
  return instead ?? { status, headers, body: typeof body === "string" ? body : JSON.stringify(body) };
}

/** Forwards a request to a real node and returns its answer, for a script that imitates a faulty proxy. */
export function passOn(nodeUrl: string, request: SeenRequest): Promise<ScriptedAnswer> {
  return forward(nodeUrl, { ...request, path: `${request.path}?${request.query.toString()}` });
}

function byPath(answersOf: AnswersByPath): AnswerTo {
  return ({ path }, earlier) => {
    const answers = answersOf[path] ?? answersOf[`${path.slice(0, path.lastIndexOf("/"))}/*`] ?? [];
    const turn = earlier.filter((seen) => seen.path === path).length;
    return answers[Math.min(turn, answers.length - 1)];
  };
}

/** A node's error answer. */
export function refusal(message: string, code = 2, status = 500): ScriptedAnswer {
  return { status, body: { code, message, details: [] } };
}

/** A call's answer: its result, or its error object. */
export type PlayedAnswer =
  { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

/** One call as it reached a played node. */
export type SeenCall = RpcCall<readonly unknown[]>;

/**
 * Starts a JSON-RPC server for answers that no local node can be made to return: it answers single calls and batches call by
 * call, unless `whole` answers the whole request.
 */
export function playNode(
  answer: (call: SeenCall) => PlayedAnswer,
  whole: (calls: readonly SeenCall[] | SeenCall, earlier: number) => ScriptedAnswer | undefined = () => undefined,
): Promise<ScriptedServer> {
  return script((request, earlier) => {
    const { calls, join } = splitCalls<readonly unknown[]>(request.body);
    const played = () => join(calls.map((call) => JSON.stringify({ jsonrpc: "2.0", id: call.id, ...answer(call) })));
    return whole(callsOf(request), earlier.length) ?? { body: played() };
  });
}

/** The call or the batch of calls in a request. */
export function callsOf(request: SeenRequest): readonly SeenCall[] | SeenCall {
  return JSON.parse(request.body) as readonly SeenCall[] | SeenCall;
}
