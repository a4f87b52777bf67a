import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One answer of the server: a status and a body; an object is sent as JSON. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Cut the connection, or stay silent, instead of answering. */
  readonly instead?: "cut" | "silence";
}

/** A request that the server received. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server for answers that a local node cannot produce. */
export interface ScriptedServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Ends it before {@link stopScripts} does. */
  readonly close: () => Promise<void>;
}

const running: (() => Promise<void>)[] = [];
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

/** Starts a server that answers by a script. It runs until {@link stopScripts}. */
export async function script(answers: Script): Promise<ScriptedServer> {
  const answerTo = typeof answers === "function" ? answers : byPath(answers);
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://server");
      const { method = "", headers } = request;
      const seen = { method, path, query, headers, body: Buffer.concat(chunks).toString() };
      const answer = answerTo(seen, requests) ?? noRoute;
      requests.push(seen);
      Promise.resolve(answer)
        .then((each) => send(response, each))
        .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  running.push(close);
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

function send(response: ServerResponse, { status = 200, body = {}, headers = {}, instead }: ScriptedAnswer): void {
  if (instead === "silence") return;
  if (instead === "cut") response.destroy();
  else response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Forwards a request to a real node and returns its answer, for a script that imitates a faulty proxy. */
export async function passOn(
  nodeUrl: string,
  { method, path, query, headers, body }: SeenRequest,
): Promise<ScriptedAnswer> {
  const url = new URL(nodeUrl);
  url.pathname = path;
  url.search = query.toString();
  const height = headers["x-cosmos-block-height"];
  const response = await fetch(url, {
    method,
    headers: {
      "content-type": "application/json",
      ...(typeof height === "string" && { "x-cosmos-block-height": height }),
    },
    ...(method === "GET" ? {} : { body }),
  });
  return { status: response.status, body: await response.text() };
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

/** Ends all servers of a test. */
export async function stopScripts(): Promise<void> {
  for (const close of running.splice(0)) await close();
}
