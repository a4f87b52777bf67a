import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** One answer of the server: a status and a body; an object is sent as JSON. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly body?: object | string;
  /** Cut the connection, or stay silent, instead of answering. */
  readonly instead?: "cut" | "silence";
}

/** A request that the server got. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server for answers that no local node can be made to give. */
export interface ScriptedServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
}

const running: Server[] = [];
const noRoute: ScriptedAnswer = { status: 501, body: { code: 12, message: "Not Implemented", details: [] } };

/**
 * Starts a server that answers the n-th request of a path with the n-th of its answers, the rest with the last one, and
 * `/*` as the last part of a path stands for any; a path without answers is answered as a node does for a route
 * that it does not have. It runs until {@link stopScripts}.
 */
export async function script(answersOf: Readonly<Record<string, readonly ScriptedAnswer[]>>): Promise<ScriptedServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://server");
      const turn = requests.filter((seen) => seen.path === path).length;
      const { method = "", headers } = request;
      requests.push({ method, path, query, headers, body: Buffer.concat(chunks).toString() });
      const answers = answersOf[path] ?? answersOf[`${path.slice(0, path.lastIndexOf("/"))}/*`] ?? [noRoute];
      const { status = 200, body = {}, instead } = answers[Math.min(turn, answers.length - 1)] ?? {};
      if (instead === "silence") return;
      if (instead === "cut") response.destroy();
      else response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  running.push(server);
  return { url: `http://127.0.0.1:${port}`, requests };
}

/** A node's error answer. */
export function refusal(message: string, code = 2, status = 500): ScriptedAnswer {
  return { status, body: { code, message, details: [] } };
}

/** Ends all servers of a test. */
export async function stopScripts(): Promise<void> {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}
