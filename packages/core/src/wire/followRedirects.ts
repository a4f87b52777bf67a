import { NodeError } from "../errors/nodeError.ts";

/** Maximum redirects per request. */
const maxRedirects = 3;
/** 303 is missing because it changes the request to a GET. */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/**
 * `fetch` that follows redirects on the same host only, with the same method and body. Keys in the URL and signed
 * transactions are meant for the configured host, and answers from another host cannot be trusted.
 *
 * @param shown - The endpoint without credentials, for messages.
 * @throws NodeError `NODE_REDIRECTED` for a redirect to another host, `NODE_BAD_RESPONSE` for a redirect loop; the errors of `fetch`.
 */
export async function followRedirects(shown: string, url: URL, init: RequestInit): Promise<Response> {
  let at = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await fetch(at, { ...init, redirect: "manual" });
    const location = redirectStatuses.has(response.status) ? response.headers.get("location") : null;
    if (location === null || !URL.canParse(location, at.href)) return response;
    await response.body?.cancel();
    const target = new URL(location, at);
    if (!isSameHost(at, target)) throw redirected(shown, target);
    at = target;
  }
  throw new NodeError(`${shown} redirects in a circle`, { code: "NODE_BAD_RESPONSE" });
}

/** True for the same host and port, with an optional upgrade from http to https. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.host !== to.host) return false;
  return from.protocol === to.protocol || (from.protocol === "http:" && to.protocol === "https:");
}

function redirected(shown: string, { host }: URL): NodeError {
  return new NodeError(`${shown} redirects to another host: ${host}`, {
    code: "NODE_REDIRECTED",
    metaMessages: ["If that host is the rollup's, name its URL instead."],
  });
}
