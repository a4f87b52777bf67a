import type { IncomingMessage } from "node:http";

/** A request for a replica. */
export interface ReplicaRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer of a replica. */
export interface ReplicaAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

// Headers that the nodes' interfaces use; all others belong to the connection.
const forwarded = ["content-type", "x-cosmos-block-height", "grpc-metadata-x-cosmos-block-height"];

/** Reads a request that a server received. */
export async function readRequest(message: IncomingMessage): Promise<ReplicaRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: message.method ?? "GET",
    path: message.url ?? "/",
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.concat(chunks).toString(),
  };
}

/** Sends a request unchanged to the node behind the replicas. */
export async function forward(upstreamUrl: string, request: ReplicaRequest): Promise<ReplicaAnswer> {
  const { method, path, headers, body } = request;
  const response = await fetch(upstreamUrl.replace(/\/$/, "") + path, {
    method,
    headers: pick((name) => headers[name]),
    ...(method === "GET" ? {} : { body }),
  });
  const answered = pick((name) => response.headers.get(name) ?? undefined);
  return { status: response.status, headers: answered, body: await response.text() };
}

/** A JSON answer. */
export function jsonAnswer(body: unknown, status = 200): ReplicaAnswer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

function pick(valueOf: (name: string) => string | undefined): Record<string, string> {
  const entries: [string, string][] = [];
  for (const name of forwarded) {
    const value = valueOf(name);
    if (value !== undefined) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}
