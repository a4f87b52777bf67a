import { isObject } from "@vipscore/core/wire";
import { jsonAnswer, type ReplicaAnswer, type ReplicaRequest } from "../../balancer/httpForward.ts";
import { cosmosHash } from "./cometProtocol.ts";
import { without, type Fields } from "./jsonRpcProtocol.ts";
import type { NodeProtocol } from "./nodeProtocol.ts";

const transactions = "/cosmos/tx/v1beta1/txs";
const consensusParams = "/cosmos/consensus/v1/params";
const receiptFields = ["height", "code", "gas_used"];
/** gRPC status `INTERNAL`, which the Cosmos SDK's gateway returns with status 500. */
const internalCode = 13;

/** The REST interface of the Cosmos SDK. */
export const restProtocol: NodeProtocol = {
  classify: (request) => {
    const { method, path, body } = request;
    const [route = ""] = path.split("?");
    if (method === "POST" && route === transactions) {
      return { role: "broadcast", title: `POST ${route}`, hashes: [broadcastHash(body)] };
    }
    const hash = lookedUpHash(request);
    if (hash !== undefined) return { role: "lookUp", title: `GET ${transactions}/*`, hashes: [hash] };
    return { role: "read", title: `${method} ${route.replaceAll(/\/(?:0x|init1)?[0-9a-z]{20,}/g, "/*")}`, hashes: [] };
  },
  accepted: ({ body }) =>
    jsonAnswer({
      tx_response: {
        height: "0",
        txhash: broadcastHash(body),
        codespace: "",
        code: 0,
        data: "",
        raw_log: "",
        logs: [],
        info: "",
        gas_wanted: "0",
        gas_used: "0",
        tx: null,
        timestamp: "",
        events: [],
      },
    }),
  internalError: () => jsonAnswer({ code: internalCode, message: "internal error", details: [] }, 500),
  wrong: (_request, answer, draw) => {
    const fields = parse(answer);
    const { tx_response: receipt } = fields;
    if (!isObject(receipt)) return { ...answer, body: "{}" };
    const field = receiptFields[draw % receiptFields.length] ?? "";
    const changed = draw % 2 === 0 ? without(receipt, field) : { ...receipt, txhash: "0".repeat(64) };
    return { ...answer, body: JSON.stringify({ ...fields, tx_response: changed }) };
  },
  withMoreGas: (_request, answer) => {
    const fields = parse(answer);
    const { tx_response: receipt } = fields;
    if (!isObject(receipt)) return answer;
    const gas = String(BigInt(String(receipt["gas_used"])) * 100n);
    return { ...answer, body: JSON.stringify({ ...fields, tx_response: { ...receipt, gas_used: gas } }) };
  },
  withBlockGas: ({ path }, answer, gas) => {
    if (path !== consensusParams || answer.status !== 200) return answer;
    const fields = parse(answer);
    const params = isObject(fields["params"]) ? fields["params"] : {};
    const block = isObject(params["block"]) ? params["block"] : {};
    const changed = { ...params, block: { ...block, max_gas: String(gas) } };
    return { ...answer, body: JSON.stringify({ ...fields, params: changed }) };
  },
};

function broadcastHash(body: string): string {
  const { tx_bytes: bytes } = JSON.parse(body) as { readonly tx_bytes: string };
  return cosmosHash(bytes);
}

function lookedUpHash({ method, path }: ReplicaRequest): string | undefined {
  const hash = new RegExp(`^${transactions}/([0-9A-Fa-f]{64})(?:\\?|$)`).exec(path)?.[1];
  return method === "GET" ? hash?.toUpperCase() : undefined;
}

function parse({ body }: ReplicaAnswer): Fields {
  const value: unknown = JSON.parse(body);
  return isObject(value) ? value : {};
}
