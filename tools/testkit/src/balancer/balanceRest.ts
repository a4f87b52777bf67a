import { forward, jsonAnswer, type ProxyAnswer, type ProxyRequest } from "../proxy/startProxy.ts";
import { startBalancer, type Balancer, type BalancerOptions } from "./startBalancer.ts";

/**
 * Balances the REST interface of the Cosmos SDK over replicas of one node, which must keep the state of past blocks.
 *
 * @example
 * await using endpoint = await balanceRest({ upstreamUrl, lagsMs: [0, 1000], seed: fuzzSeed() });
 */
export function balanceRest(options: BalancerOptions): Promise<Balancer> {
  const { upstreamUrl } = options;
  return startBalancer(options, {
    readHeight: async () => {
      const { body } = await forward(upstreamUrl, { method: "GET", path: nodeStatusPath, headers: {}, body: "" });
      return BigInt((JSON.parse(body) as { readonly height: string }).height);
    },
    answer: (request, head) => restReplica((forwarded) => forward(upstreamUrl, forwarded), request, head),
  });
}

/** Status of a Cosmos SDK node, including its height. */
const nodeStatusPath = "/cosmos/base/node/v1beta1/status";

const transactions = "/cosmos/tx/v1beta1/txs";
const blocks = "/cosmos/base/tendermint/v1beta1/blocks";
const heightHeader = "x-cosmos-block-height";
/** A height that no chain reaches, so that the node's own text refuses the missing block. */
const farHeight = "9007199254740991";

/**
 * Routes with the same answer on all replicas. Transactions go to the upstream node, as if gossip took no time; so the sequence
 * that a refusal expects is the upstream's. Our choice: a simulation also runs on the upstream's state, because it does not
 * accept another height.
 */
const sameEverywhere = new Set([
  `POST ${transactions}`,
  "POST /cosmos/tx/v1beta1/simulate",
  "GET /cosmos/base/tendermint/v1beta1/node_info",
  "GET /cosmos/base/tendermint/v1beta1/syncing",
  "GET /cosmos/base/node/v1beta1/config",
]);

// Recorded on minimove.
const inFuture = {
  code: 2,
  message:
    "codespace sdk code 26: invalid height: cannot query with height in the future; please provide a valid height",
  details: [],
};

type Ask = (request: ProxyRequest) => Promise<ProxyAnswer>;

/** Returns the answer of a node whose newest block is `head`, imitated with a node that is further. */
async function restReplica(ask: Ask, request: ProxyRequest, head: bigint): Promise<ProxyAnswer> {
  const { method, path, headers } = request;
  const [route = ""] = path.split("?");
  if (sameEverywhere.has(`${method} ${route}`)) return ask(request);
  if (route === `${blocks}/latest`) return ask({ ...request, path: `${blocks}/${head}` });
  if (route.startsWith(`${blocks}/`)) {
    const height = route.slice(blocks.length + 1);
    return ask(
      /^\d+$/.test(height) && BigInt(height) > head ? { ...request, path: `${blocks}/${farHeight}` } : request,
    );
  }
  if (route.startsWith(`${transactions}/`)) return transaction(ask, request, head);
  // Searches of transactions are not supported: without heights, a lagging replica would answer like the node.
  if (route === transactions) return jsonAnswer({ code: 12, message: "Not Implemented", details: [] }, 501);

  const wanted = headers[heightHeader];
  const isNewest = wanted === undefined || wanted === "0";
  if (!isNewest && /^\d+$/.test(wanted) && BigInt(wanted) > head) return jsonAnswer(inFuture, 500);
  const answer = await ask(isNewest ? { ...request, headers: { ...headers, [heightHeader]: String(head) } } : request);
  if (route !== nodeStatusPath || answer.status !== 200) return answer;
  return { ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body) as object), height: String(head) }) };
}

/** Looks up a transaction by its hash; not found if its block is above the head, with the text recorded on minimove. */
async function transaction(ask: Ask, request: ProxyRequest, head: bigint): Promise<ProxyAnswer> {
  const answer = await ask(request);
  if (answer.status !== 200) return answer;
  const { tx_response: found } = JSON.parse(answer.body) as { tx_response?: { height: string; txhash: string } };
  if (found === undefined) return jsonAnswer({ code: 12, message: "Not Implemented", details: [] }, 501);
  if (BigInt(found.height) <= head) return answer;
  return jsonAnswer({ code: 5, message: `tx not found: ${found.txhash}`, details: [] }, 404);
}
