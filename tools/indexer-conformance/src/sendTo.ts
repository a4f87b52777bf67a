import type { Send } from "./runRequests.ts";

/** Timeout of one answer, in milliseconds. */
const answerBoundMs = 30_000;

/** Largest body to read, in bytes; 1,000 tokens with the longest texts are far below it. */
const maxBodyBytes = 256 * 1024 * 1024;

/**
 * Sends requests to an indexer; paths are kept unchanged, below the path of its URL. Retries only after status
 * 429, which is not an indexer's answer: it then waits as requested, three times at most.
 *
 * @param baseUrl - Precedes `/indexer/nft/v1`; its query goes with every request.
 */
export function sendTo(baseUrl: string): Send {
  const base = new URL(baseUrl);
  return async ({ path, query }) => {
    const search = [base.search.slice(1), query].filter(Boolean).join("&");
    const url = `${base.origin}${base.pathname.replace(/\/+$/, "")}${path}${search ? `?${search}` : ""}`;
    const headers = authorization(base);
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(answerBoundMs) });
      const body = await readText(response);
      if (response.status !== 429 || attempt === 4) {
        return { status: response.status, contentType: response.headers.get("content-type") ?? "", body };
      }
      const seconds = Math.min(Number(response.headers.get("retry-after")) || attempt, 30);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  };
}

/** The header for a URL's user and password; fetch rejects a URL with credentials. */
function authorization({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(text).toString("base64")}` };
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    const part = chunk as Uint8Array;
    bytes += part.length;
    if (bytes > maxBodyBytes) throw new RangeError(`an answer has more than ${maxBodyBytes} bytes`);
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString();
}
