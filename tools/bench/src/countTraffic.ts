/** Requests of one kind, and the bytes of their bodies. */
export interface Traffic {
  requests: number;
  up: number;
  down: number;
}

/** Traffic by kind: the JSON-RPC method, `abci_query` with its path, or a REST path without hashes and addresses. */
export type TrafficByKind = Record<string, Traffic>;

/** Runs an action and counts what this process sends and receives through `fetch` meanwhile. */
export async function countTraffic<T>(
  act: () => Promise<T>,
): Promise<{ readonly value: T; readonly kinds: TrafficByKind }> {
  const kinds: TrafficByKind = {};
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const body = typeof init?.body === "string" ? init.body : "";
    const traffic = (kinds[kindOf(new URL(input as string | URL), body)] ??= { requests: 0, up: 0, down: 0 });
    traffic.requests += 1;
    traffic.up += Buffer.byteLength(body);
    const response = await fetch(input, init);
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        traffic.down += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(counted) ?? null, response);
  };
  try {
    return { value: await act(), kinds };
  } finally {
    globalThis.fetch = fetch;
  }
}

function kindOf({ pathname }: URL, body: string): string {
  const { method, params } = (body === "" ? {} : JSON.parse(body)) as { method?: string; params?: { path?: string } };
  if (method !== undefined) return params?.path === undefined ? method : `${method} ${params.path}`;
  const place = pathname.replace(/(?<=\/)[^/]{24,}/g, "*");
  return body === "" ? place : `POST ${place}`;
}

/** Adds up traffic of all kinds. */
export function totalOf(kinds: TrafficByKind): Traffic {
  const total = { requests: 0, up: 0, down: 0 };
  for (const { requests, up, down } of Object.values(kinds)) {
    total.requests += requests;
    total.up += up;
    total.down += down;
  }
  return total;
}
