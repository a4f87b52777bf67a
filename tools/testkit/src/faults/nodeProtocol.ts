import { createHash } from "node:crypto";
import { QueryParamsResponse } from "cosmjs-types/cosmos/consensus/v1/query";
import { isHex, keccak256, numberToHex } from "viem";
import { isObject } from "@vipscore/core/wire";
import { splitCalls, type RpcCall, type SplitCalls } from "../proxy/rpcCalls.ts";
import { jsonAnswer, type ProxyAnswer, type ProxyRequest } from "../proxy/startProxy.ts";

/** The purpose of a request: broadcast a transaction, look one up by hash, or read anything else. */
export type RequestRole = "broadcast" | "lookUp" | "read";

/** The properties of a request that a fault needs. */
export interface ClassifiedRequest {
  readonly role: RequestRole;
  /** Title without values: `eth_call`, `GET /cosmos/tx/v1beta1/txs/*`. A batch has its methods joined by `+`. */
  readonly title: string;
  /** Hashes of the transactions that it broadcasts or looks up, in the chain's spelling. */
  readonly hashes: readonly string[];
}

/** The differences between the interfaces of nodes. */
export interface NodeProtocol {
  readonly classify: (request: ProxyRequest) => ClassifiedRequest;
  /** The answer of a node that accepted the transaction of a broadcast. */
  readonly accepted: (request: ProxyRequest) => ProxyAnswer;
  /** "internal error" in the node's format. */
  readonly internalError: (request: ProxyRequest) => ProxyAnswer;
  /** The answer with another id or hash, or without a required field. `draw`, an integer from 0, chooses which. */
  readonly wrong: (request: ProxyRequest, answer: ProxyAnswer, draw: number) => ProxyAnswer;
  /** The answer to a look-up, with a hundred times the gas used; any other answer unchanged. */
  readonly withMoreGas: (request: ProxyRequest, answer: ProxyAnswer) => ProxyAnswer;
  /** The answer that contains the gas of a block, with this gas instead; any other answer unchanged. */
  readonly withBlockGas: (request: ProxyRequest, answer: ProxyAnswer, gas: bigint) => ProxyAnswer;
}

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a call of JSON-RPC does; of a read that no fault changes, its title alone. */
interface CallFacts {
  /** Without values. */
  readonly title: string;
  /** The transaction that it broadcasts, and the result of a node that accepts it. */
  readonly broadcast?: { readonly hash: string; readonly accepted: unknown };
  /** Hash of the transaction that it looks up. */
  readonly lookedUp?: string;
  /** Its result, which contains the gas of a block, with this gas instead. */
  readonly withBlockGas?: (result: Fields, gas: bigint) => unknown;
}

/** The results of look-ups. */
interface Receipts {
  /** Fields that they must have. */
  readonly fields: readonly string[];
  readonly withMoreGas: (receipt: Fields) => unknown;
}

/** Ethereum's JSON-RPC. */
export const evmProtocol: NodeProtocol = jsonRpcProtocol(
  ({ method: title, params }) => {
    const [first] = Array.isArray(params) ? (params as readonly unknown[]) : [];
    switch (title) {
      case "eth_sendRawTransaction": {
        if (!isHex(first)) return { title };
        const hash = keccak256(first);
        return { title, broadcast: { hash, accepted: hash } };
      }
      case "eth_getTransactionReceipt":
      case "eth_getTransactionByHash":
        return { title, lookedUp: String(first).toLowerCase() };
      case "eth_getBlockByNumber":
        return { title, withBlockGas: (block, gas) => ({ ...block, gasLimit: numberToHex(gas) }) };
      default:
        return { title };
    }
  },
  {
    fields: ["blockNumber", "gasUsed", "status"],
    withMoreGas: (receipt) => {
      const { gasUsed } = receipt;
      return isHex(gasUsed) ? { ...receipt, gasUsed: numberToHex(BigInt(gasUsed) * 100n) } : receipt;
    },
  },
);

/** CometBFT's JSON-RPC by POST. */
export const cometProtocol: NodeProtocol = jsonRpcProtocol(
  ({ method: title, params }) => {
    const { tx, hash: sought, path } = fieldsOf(params);
    switch (title) {
      case "broadcast_tx_sync":
      case "broadcast_tx_async":
      case "broadcast_tx_commit": {
        if (typeof tx !== "string") return { title };
        const hash = cosmosHash(tx);
        return { title, broadcast: { hash, accepted: { code: 0, data: "", log: "", codespace: "", hash } } };
      }
      case "tx":
        if (typeof sought !== "string") return { title };
        return { title, lookedUp: Buffer.from(sought, "base64").toString("hex").toUpperCase() };
      case "abci_query":
        return {
          title: `abci_query ${String(path)}`,
          ...(path === "/cosmos.consensus.v1.Query/Params" && { withBlockGas: withParamsGas }),
        };
      default:
        return { title };
    }
  },
  {
    fields: ["height", "tx_result"],
    withMoreGas: (receipt) => {
      const { tx_result: result } = receipt;
      return isObject(result) ? { ...receipt, tx_result: withHundredfoldGas(result) } : receipt;
    },
  },
);

function withParamsGas(result: Fields, maxGas: bigint): Fields {
  const { response } = result;
  if (!isObject(response) || typeof response["value"] !== "string") return result;
  const { params } = QueryParamsResponse.decode(Buffer.from(response["value"], "base64"));
  const block = { maxBytes: params?.block?.maxBytes ?? -1n, maxGas };
  const changed = QueryParamsResponse.fromPartial({ params: { ...params, block } });
  const value = Buffer.from(QueryParamsResponse.encode(changed).finish()).toString("base64");
  return { ...result, response: { ...response, value } };
}

const transactions = "/cosmos/tx/v1beta1/txs";

/** The REST interface of the Cosmos SDK. */
export const restProtocol: NodeProtocol = {
  classify: ({ method, path, body }) => {
    const [route = ""] = path.split("?");
    if (method === "POST" && route === transactions) {
      return { role: "broadcast", title: `POST ${route}`, hashes: [broadcastHash(body)] };
    }
    const hash = method === "GET" && new RegExp(`^${transactions}/([0-9A-Fa-f]{64})$`).exec(route)?.[1]?.toUpperCase();
    if (hash) return { role: "lookUp", title: `GET ${transactions}/*`, hashes: [hash] };
    return { role: "read", title: `${method} ${route.replaceAll(/\/(?:0x|init1)?[0-9a-z]{20,}/g, "/*")}`, hashes: [] };
  },
  accepted: ({ body }) => {
    const texts = { codespace: "", data: "", raw_log: "", info: "", timestamp: "" };
    const amounts = { height: "0", code: 0, gas_wanted: "0", gas_used: "0" };
    const rest = { logs: [], tx: null, events: [] };
    return jsonAnswer({ tx_response: { ...texts, ...amounts, ...rest, txhash: broadcastHash(body) } });
  },
  // 13 is gRPC's status `INTERNAL`, which the Cosmos SDK's gateway returns with status 500.
  internalError: () => jsonAnswer({ code: 13, message: "internal error", details: [] }, 500),
  wrong: (_request, answer, draw) => {
    const fields = fieldsOf(JSON.parse(answer.body));
    const { tx_response: receipt } = fields;
    if (!isObject(receipt)) return { ...answer, body: "{}" };
    const field = ["height", "code", "gas_used"][draw % 3] ?? "";
    const changed = draw % 2 === 0 ? without(receipt, field) : { ...receipt, txhash: "0".repeat(64) };
    return { ...answer, body: JSON.stringify({ ...fields, tx_response: changed }) };
  },
  withMoreGas: (_request, answer) => {
    const fields = fieldsOf(JSON.parse(answer.body));
    const { tx_response: receipt } = fields;
    if (!isObject(receipt)) return answer;
    return { ...answer, body: JSON.stringify({ ...fields, tx_response: withHundredfoldGas(receipt) }) };
  },
  withBlockGas: ({ path }, answer, gas) => {
    if (path !== "/cosmos/consensus/v1/params" || answer.status !== 200) return answer;
    const fields = fieldsOf(JSON.parse(answer.body));
    const params = fieldsOf(fields["params"]);
    const changed = { ...params, block: { ...fieldsOf(params["block"]), max_gas: String(gas) } };
    return { ...answer, body: JSON.stringify({ ...fields, params: changed }) };
  },
};

function broadcastHash(body: string): string {
  return cosmosHash((JSON.parse(body) as { readonly tx_bytes: string }).tx_bytes);
}

/** The hash of a transaction of the Cosmos SDK, in capitals. */
function cosmosHash(base64: string): string {
  return createHash("sha256").update(Buffer.from(base64, "base64")).digest("hex").toUpperCase();
}

function withHundredfoldGas(receipt: Fields): Fields {
  return { ...receipt, gas_used: String(BigInt(String(receipt["gas_used"])) * 100n) };
}

/** JSON-RPC over HTTP, single calls and batches. */
function jsonRpcProtocol(factsOf: (call: RpcCall) => CallFacts, receipts: Receipts): NodeProtocol {
  const isReceipt = (call: RpcCall | undefined, result: unknown): result is Fields =>
    call !== undefined && factsOf(call).lookedUp !== undefined && isObject(result);
  const answerEach = ({ body }: ProxyRequest, answer: (call: RpcCall) => object): ProxyAnswer => {
    const { calls, join } = split(body);
    const text = join(calls.map((call) => JSON.stringify({ jsonrpc: "2.0", id: call.id, ...answer(call) })));
    return { status: 200, headers: { "content-type": "application/json" }, body: text };
  };
  const mapEach = (
    request: ProxyRequest,
    answer: ProxyAnswer,
    change: (one: Fields, call: RpcCall | undefined) => object,
  ): ProxyAnswer => {
    const { calls } = split(request.body);
    const answered = parse(answer.body);
    const changed = Array.isArray(answered)
      ? answered.map((one, index) => change(fieldsOf(one), calls[index]))
      : change(fieldsOf(answered), calls[0]);
    return { ...answer, body: JSON.stringify(changed) };
  };
  return {
    classify: (request) => {
      const facts = split(request.body).calls.map(factsOf);
      const broadcasts = facts.flatMap(({ broadcast }) => broadcast?.hash ?? []);
      const lookUps = facts.flatMap(({ lookedUp }) => lookedUp ?? []);
      const title = facts.length === 0 ? request.path : facts.map((call) => call.title).join("+");
      const role = broadcasts.length > 0 ? "broadcast" : lookUps.length > 0 ? "lookUp" : "read";
      return { role, title, hashes: [...broadcasts, ...lookUps] };
    },
    accepted: (request) =>
      answerEach(request, (call) => {
        const { broadcast } = factsOf(call);
        return broadcast === undefined ? internalError : { result: broadcast.accepted };
      }),
    internalError: (request) => answerEach(request, () => internalError),
    wrong: (request, answer, draw) =>
      mapEach(request, answer, (one, call) => {
        const { id, result, error: _error, ...rest } = one;
        if (isReceipt(call, result) && draw % 3 === 0) {
          const field = receipts.fields[Math.floor(draw / 3) % receipts.fields.length] ?? "";
          return { ...rest, id, result: without(result, field) };
        }
        return draw % 2 === 0 ? { ...rest, id } : { ...one, id: typeof id === "number" ? id + 7 : `${String(id)}7` };
      }),
    withMoreGas: (request, answer) =>
      mapEach(request, answer, (one, call) =>
        isReceipt(call, one["result"]) ? { ...one, result: receipts.withMoreGas(one["result"]) } : one,
      ),
    withBlockGas: (request, answer, gas) => {
      const changes = split(request.body).calls.map((call) => factsOf(call).withBlockGas);
      if (changes.every((change) => change === undefined)) return answer;
      return mapEach(request, answer, (one, call) => {
        const { result } = one;
        const change = call && factsOf(call).withBlockGas;
        return change && isObject(result) ? { ...one, result: change(result, gas) } : one;
      });
    },
  };
}

const internalError = { error: { code: -32603, message: "Internal error" } };

/** The calls of a body; none of one that is not JSON-RPC. */
function split(body: string): SplitCalls<unknown> {
  if (isObject(parse(body)) || Array.isArray(parse(body))) return splitCalls(body);
  return { calls: [], join: () => JSON.stringify({ jsonrpc: "2.0", id: -1, ...internalError }) };
}

/** An object without one of its fields. */
function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
