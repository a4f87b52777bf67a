import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback, type LoopbackServer } from "./listenOnLoopback.ts";

/**
 * Answers one JSON-RPC call. What it throws becomes the call's error: its numeric `code`, its `message`, its `data`.
 */
export type JsonRpcHandler = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** An error with the code and text to send to the client. */
export class JsonRpcFailure extends Error {
  override readonly name: string = "JsonRpcFailure";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

// A transaction of a push is below 300 kB as JSON; 32 MiB leaves room for any batch from a development client.
const maxBodyBytes = 32 * 1024 * 1024;

/** Any page may read a local chain, as with anvil and Hardhat's own server: its keys are public. */
const corsHeaders = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };

/**
 * Serves JSON-RPC 2.0 over HTTP on 127.0.0.1, single calls and batches. The calls of a batch run in order, so that its
 * transactions keep their sequences. Pages of any origin may call it.
 *
 * @param port 0 for any free port.
 * @throws CONFIG_INVALID if the port is invalid or in use.
 */
export function serveJsonRpc(handle: JsonRpcHandler, port: number): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    if (request.method === "OPTIONS") {
      response.writeHead(204, corsHeaders).end();
      return;
    }
    answer(request, handle).then(
      (body) => sendJson(response, 200, body),
      (error: unknown) => {
        sendJson(
          response,
          error instanceof BodyTooLarge ? 413 : 400,
          errorResponse(null, new JsonRpcFailure(-32700, "parse error")),
        );
      },
    );
  });
  return listenOnLoopback(server, port);
}

class BodyTooLarge extends Error {}

async function answer(request: IncomingMessage, handle: JsonRpcHandler): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  if (!Array.isArray(body)) return answerCalls(body, handle);
  const answers: unknown[] = [];
  for (const single of body) answers.push(await answerCalls(single, handle));
  return answers;
}

async function answerCalls(body: unknown, handle: JsonRpcHandler): Promise<unknown> {
  const {
    id = null,
    method,
    params = [],
  } = (typeof body === "object" && body !== null ? body : {}) as {
    readonly id?: unknown;
    readonly method?: unknown;
    readonly params?: unknown;
  };
  if (typeof method !== "string" || !Array.isArray(params)) {
    return errorResponse(id, new JsonRpcFailure(-32600, "invalid request"));
  }
  try {
    return { jsonrpc: "2.0", id, result: (await handle(method, params)) ?? null };
  } catch (error) {
    return errorResponse(id, error);
  }
}

function errorResponse(id: unknown, error: unknown): unknown {
  const { code, message, data }: { code?: unknown; message?: unknown; data?: unknown } =
    typeof error === "object" && error !== null ? error : {};
  return {
    jsonrpc: "2.0",
    id,
    error: {
      code: typeof code === "number" ? code : -32603,
      message: typeof message === "string" ? message : String(error),
      ...(data === undefined || data === null ? {} : { data }),
    },
  };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", ...corsHeaders });
  response.end(JSON.stringify(body));
}
