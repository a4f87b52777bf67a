import { Answer, isObject, type ReadAnswer } from "./answer.ts";
import { RpcError, type JsonRpc } from "./jsonRpc.ts";
import {
  base64,
  decimal,
  decodeMessage,
  encodeField,
  encodeNumber,
  i64,
  message,
  nameIn,
  text,
  u64,
  type Shape,
} from "./protobuf.ts";
import { isMissingQuery, queryChain, QueryError } from "./queryChain.ts";
import { RestError, type RestClient, type RestOptions } from "./restClient.ts";

/** A request to the REST interface: parts of the path in `parts`, all other parameters in `fields`. */
interface RestRequest {
  readonly parts: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A route of the REST interface, and the query that the node answers it with: its request and answer in protobuf. */
interface Route {
  readonly path: RegExp;
  readonly query: string;
  readonly request?: (request: RestRequest) => readonly Uint8Array[];
  readonly answer: Shape;
}

const viewAnswer: Shape = { data: [1, text] };
const addressAndName = ({ parts: [address = "", name = ""] }: RestRequest) => [
  encodeField(1, address),
  encodeField(2, name),
];
const decCoin = message({ denom: [1, text], amount: [2, decimal] });
const coin = message({ denom: [1, text], amount: [2, text] });

/**
 * Sources: the .proto files of Cosmos SDK 0.50, of initia (`initia/move/v1`) and of OPinit (`opinit/opchild/v1`). Only the fields
 * that are read.
 */
const routes: readonly Route[] = [
  {
    path: /^\/cosmos\/auth\/v1beta1\/account_info\/(.+)$/,
    query: "/cosmos.auth.v1beta1.Query/AccountInfo",
    request: ({ parts: [address = ""] }) => [encodeField(1, address)],
    answer: { info: [1, message({ account_number: [3, u64], sequence: [4, u64] })] },
  },
  {
    path: /^\/cosmos\/bank\/v1beta1\/balances\/(.+)$/,
    query: "/cosmos.bank.v1beta1.Query/AllBalances",
    request: ({ parts: [address = ""], fields }) => [encodeField(1, address), encodeField(2, pageOf(fields))],
    answer: { balances: [1, coin, "list"] },
  },
  {
    path: /^\/cosmos\/base\/node\/v1beta1\/config$/,
    query: "/cosmos.base.node.v1beta1.Service/Config",
    answer: { minimum_gas_price: [1, text] },
  },
  {
    path: /^\/cosmos\/consensus\/v1\/params$/,
    query: "/cosmos.consensus.v1.Query/Params",
    answer: { params: [1, message({ block: [1, message({ max_gas: [2, i64] })] })] },
  },
  {
    path: /^\/opinit\/opchild\/v1\/params$/,
    query: "/opinit.opchild.v1.Query/Params",
    answer: { params: [1, message({ min_gas_prices: [3, decCoin, "list"] })] },
  },
  {
    path: /^\/opinit\/opchild\/v1\/bridge_info$/,
    query: "/opinit.opchild.v1.Query/BridgeInfo",
    answer: { bridge_info: [1, message({ bridge_id: [1, u64], bridge_addr: [2, text], l1_chain_id: [3, text] })] },
  },
  {
    path: /^\/cosmos\/tx\/v1beta1\/simulate$/,
    query: "/cosmos.tx.v1beta1.Service/Simulate",
    request: ({ fields }) => [encodeField(2, Buffer.from(String(fields["tx_bytes"]), "base64"))],
    answer: { gas_info: [1, message({ gas_used: [2, u64] })] },
  },
  {
    path: /^\/initia\/move\/v1\/accounts\/([^/]+)\/resources\/by_struct_tag$/,
    query: "/initia.move.v1.Query/Resource",
    request: ({ parts: [address = ""], fields }) =>
      addressAndName({ parts: [address, String(fields["struct_tag"])], fields }),
    answer: { resource: [1, message({ raw_bytes: [4, base64] })] },
  },
  {
    path: /^\/initia\/move\/v1\/accounts\/([^/]+)\/modules\/([^/]+)$/,
    query: "/initia.move.v1.Query/Module",
    request: addressAndName,
    answer: {
      module: [
        1,
        message({
          abi: [3, text],
          raw_bytes: [4, base64],
          upgrade_policy: [5, nameIn(["UNSPECIFIED", "COMPATIBLE", "IMMUTABLE"])],
        }),
      ],
    },
  },
  {
    path: /^\/initia\/move\/v1\/tables\/([^/]+)\/entries\/by_key_bytes$/,
    query: "/initia.move.v1.Query/TableEntry",
    request: ({ parts: [handle = ""], fields }) => [
      encodeField(1, handle),
      encodeField(2, Buffer.from(String(fields["key_bytes"]), "base64")),
    ],
    answer: { table_entry: [1, message({ value_bytes: [5, base64] })] },
  },
  {
    path: /^\/initia\/move\/v1\/view$/,
    query: "/initia.move.v1.Query/View",
    request: ({ fields }) => viewRequest(fields),
    answer: viewAnswer,
  },
  {
    path: /^\/initia\/move\/v1\/view\/batch$/,
    query: "/initia.move.v1.Query/ViewBatch",
    request: ({ fields }) =>
      listOf(fields["requests"])
        .filter(isObject)
        .map((view) => encodeField(1, Buffer.concat(viewRequest(view)))),
    answer: { responses: [1, message(viewAnswer), "list"] },
  },
];

function viewRequest(view: RestRequest["fields"]): readonly Uint8Array[] {
  return [
    encodeField(1, String(view["address"])),
    encodeField(2, String(view["module_name"])),
    encodeField(3, String(view["function_name"])),
    ...listOf(view["args"]).map((arg) => encodeField(5, Buffer.from(String(arg), "base64"))),
  ];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The request for a page, from the parameters of a REST request. */
function pageOf(fields: RestRequest["fields"]): Buffer {
  const { "pagination.key": key = "", "pagination.limit": limit } = fields;
  return Buffer.concat([encodeField(1, Buffer.from(String(key), "base64")), encodeNumber(3, BigInt(String(limit)))]);
}

const transactions = "/cosmos/tx/v1beta1/txs";

/** What the RPC interface of a node answers itself, without its state machine. */
interface Method {
  readonly path: RegExp;
  readonly method: string;
  readonly params?: (hash: string) => object;
  /** Writes the result as the REST interface does. */
  readonly answer: (result: Answer) => object;
}

const methods: readonly Method[] = [
  {
    path: /^\/cosmos\/base\/tendermint\/v1beta1\/node_info$/,
    method: "status",
    answer: (result) => ({ default_node_info: result.field("node_info").value }),
  },
  {
    path: /^\/cosmos\/base\/node\/v1beta1\/status$/,
    method: "abci_info",
    // `status` has the height of the newest block, whose state may not be committed yet.
    answer: (result) => ({ height: result.field("response").field("last_block_height").value }),
  },
  {
    path: /^\/cosmos\/tx\/v1beta1\/txs\/([0-9A-F]+)$/,
    method: "tx",
    params: (hash) => ({ hash: Buffer.from(hash, "hex").toString("base64") }),
    answer: (result) => {
      const outcome = result.field("tx_result");
      const gas = outcome.optional("gas_used")?.value ?? "0";
      return { tx_response: { height: result.field("height").value, gas_used: gas, ...outcomeOf(outcome) } };
    },
  },
];

/** Code, codespace and text of a transaction; Go omits zeros and empty texts. */
function outcomeOf(outcome: Answer): object {
  const { code = 0, codespace = "", log = "" } = outcome.object();
  return { code, codespace, raw_log: log };
}

/**
 * Answers routes of a Cosmos SDK node's REST interface from its CometBFT RPC, with the same errors: those that adapters ask.
 * Other routes are missing.
 */
export function restOverRpc(comet: JsonRpc): RestClient {
  const { sendAll } = comet;
  const ask = <T>(path: string, read: ReadAnswer<T>, how: RestOptions, body: object = {}): Promise<T> =>
    askNode(comet, path, read, how, { ...body, ...how.query });
  return {
    endpoint: comet.endpoint,
    get: (path, read, how = {}) => ask(path, read, how),
    query: (path, body, read, how = {}) => ask(path, read, how, body),
    send: (path, body, read, how = {}) => {
      if (path !== transactions || !("tx_bytes" in body)) return Promise.reject(missingRoute(comet, path));
      return comet.send("broadcast_tx_sync", { tx: body.tx_bytes }, (result) => read(asSent(result)), how.signal);
    },
    sendAll:
      sendAll &&
      ((path, bodies, how = {}) => {
        const params = bodies.map((body) => ("tx_bytes" in body ? { tx: body.tx_bytes } : undefined));
        if (path !== transactions || params.includes(undefined)) return () => Promise.reject(missingRoute(comet, path));
        const answerTo = sendAll("broadcast_tx_sync", params, how.signal);
        return async (at) => asSent(await answerTo(at));
      }),
  };
}

/** Returns the answer to a transaction as the REST interface shows it. */
function asSent(result: Answer): Answer {
  return result.as({ tx_response: { ...outcomeOf(result), txhash: result.field("hash").value } });
}

async function askNode<T>(
  comet: JsonRpc,
  path: string,
  read: ReadAnswer<T>,
  { height, signal }: RestOptions,
  fields: RestRequest["fields"],
): Promise<T> {
  try {
    for (const { path: pattern, method, params, answer } of methods) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const readResult = (result: Answer): T => read(result.as(answer(result)));
      return await comet.read(method, params?.(match[1] ?? "") ?? {}, readResult, signal);
    }
    for (const { path: pattern, query, request, answer } of routes) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const source = { endpoint: comet.endpoint, title: `abci_query ${query}` };
      const encoded = Buffer.concat(request?.({ parts: match.slice(1), fields }) ?? []);
      const decode = (value: Uint8Array): T => read(new Answer(source, decodeMessage(value, answer)));
      return await queryChain(comet, { path: query, request: encoded, decode }, { height, signal });
    }
  } catch (error) {
    throw restErrorOf(comet, path, error);
  }
  throw missingRoute(comet, path);
}

function missingRoute({ endpoint }: JsonRpc, path: string): RestError {
  return new RestError(endpoint, path, { status: 501, grpcCode: 12, message: "Not Implemented" });
}

/** Returns the error with which the REST interface answers the same request; others as they are. */
function restErrorOf({ endpoint }: JsonRpc, path: string, error: unknown): unknown {
  if (!(error instanceof QueryError) && !(error instanceof RpcError)) return error;
  const { details = "" } = error;
  const as = (status: number, grpcCode: number) =>
    new RestError(endpoint, path, { status, grpcCode, message: details });
  if (error instanceof RpcError) return /tx \([0-9A-F]+\) not found/i.test(details) ? as(404, 5) : error;
  if (isMissingQuery(error)) return as(501, 12);
  return /code = NotFound/.test(details) ? as(404, 5) : as(500, 2);
}
