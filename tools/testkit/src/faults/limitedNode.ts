import { splitCalls } from "../proxy/rpcCalls.ts";
import { forward, startProxy, type Proxy, type ProxyAnswer } from "../proxy/startProxy.ts";

/** A way in which a provider refuses calls above its limit, in words and codes that no client knows. */
interface LimitWay {
  readonly title: string;
  readonly status: 200 | 429;
  /** The error of each refused call; a page refuses the whole request. */
  readonly refusal: { readonly code: number; readonly message: string } | "page";
  /** True if one call too many refuses the whole request, with one error for all. */
  readonly isWhole: boolean;
}

/** Ways of limiting that public providers have. */
export const limitWays: readonly LimitWay[] = [
  each(200, -32007, "25/second request limit reached"),
  each(200, -32005, "RPS limit"),
  each(200, -32016, "above the plan"),
  each(429, -32029, "slow down"),
  { ...each(200, -32090, "all units used"), isWhole: true, title: "status 200, one error -32090 for a request" },
  { ...each(429, -32011, "no backend"), isWhole: true, title: "status 429, one error -32011 for a request" },
  { title: "status 429, a page", status: 429, refusal: "page", isWhole: true },
  { title: "status 200, a page", status: 200, refusal: "page", isWhole: true },
];

function each(status: 200 | 429, code: number, message: string): LimitWay {
  return { title: `status ${status}, error ${code} for a call`, status, refusal: { code, message }, isWhole: false };
}

/** Calls that a provider serves in a window of its clock. */
interface Limit {
  readonly calls: number;
  readonly windowMs: number;
}

/** A node behind a provider that limits calls. */
export interface LimitedNode extends Proxy {
  /** Number of calls that it refused. */
  readonly refused: () => number;
}

/** Starts a provider that serves so many calls of JSON-RPC in each window, and refuses the others in its way. */
export async function limitNode(
  upstreamUrl: string,
  way: LimitWay,
  { calls: most, windowMs }: Limit,
): Promise<LimitedNode> {
  let [window, used, refusedCalls] = [0, 0, 0];
  const proxy = await startProxy(async (request): Promise<ProxyAnswer> => {
    const now = Math.floor(performance.now() / windowMs);
    if (now !== window) [window, used] = [now, 0];
    const { calls, join } = splitCalls(request.body);
    const left = most - used;
    const served = way.isWhole && calls.length > left ? 0 : Math.min(calls.length, left);
    used += served;
    refusedCalls += calls.length - served;
    const type = way.refusal === "page" && served === 0 ? "text/html" : "application/json";
    const status = served === calls.length ? 200 : way.status;
    const answer = (body: string): ProxyAnswer => ({ status, headers: { "content-type": type }, body });
    const errorOf = (id: unknown) => JSON.stringify({ jsonrpc: "2.0", id, error: way.refusal });
    if (served === 0 && way.isWhole) {
      return answer(way.refusal === "page" ? "<html><body>One moment, please</body></html>" : errorOf(null));
    }
    const answers = await Promise.all(
      calls.map(async (call, index) => {
        if (index >= served) return errorOf(call.id);
        return (await forward(upstreamUrl, { ...request, body: JSON.stringify(call) })).body;
      }),
    );
    return answer(join(answers));
  });
  return Object.assign(proxy, { refused: () => refusedCalls });
}

/** The limits to try: 25 and 5 calls in a window of a tenth of a second, so that a test does not take minutes. */
export const limits: readonly Limit[] = [25, 5].map((calls) => ({ calls, windowMs: 100 }));
