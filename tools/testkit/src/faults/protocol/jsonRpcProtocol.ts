import { isObject } from "@vipscore/core/wire";
import { jsonAnswer, type ReplicaAnswer, type ReplicaRequest } from "../../balancer/httpForward.ts";
import type { ClassifiedRequest, NodeProtocol } from "./nodeProtocol.ts";

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** One call of a request. */
export interface JsonRpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
}

/** Describes a node's methods. */
export interface JsonRpcMethods {
  /** The title of a call, without values. */
  readonly titleOf: (call: JsonRpcCall) => string;
  /** The hash of the transaction that a call broadcasts; undefined for any other call. */
  readonly broadcastHash: (call: JsonRpcCall) => string | undefined;
  /** The hash that a call looks up; undefined for any other call. */
  readonly lookedUpHash: (call: JsonRpcCall) => string | undefined;
  /** The result of a call that broadcasts a transaction with this hash. */
  readonly acceptedResult: (hash: string) => unknown;
  /** Fields that the result of a look-up must have. */
  readonly receiptFields: readonly string[];
  /** A receipt with a hundred times the gas used; any other result unchanged. */
  readonly withMoreGas: (result: Fields) => unknown;
  /** True if the result of a call contains the gas of a block. */
  readonly namesBlockGas: (call: JsonRpcCall) => boolean;
  /** Such a result with this gas instead. */
  readonly withBlockGas: (result: Fields, gas: bigint) => unknown;
}

/** JSON-RPC over HTTP, single calls and batches. */
export function jsonRpcProtocol(methods: JsonRpcMethods): NodeProtocol {
  const classify = (request: ReplicaRequest): ClassifiedRequest => {
    const calls = callsOf(request);
    const broadcasts = calls.map(methods.broadcastHash).filter((hash) => hash !== undefined);
    const lookUps = calls.map(methods.lookedUpHash).filter((hash) => hash !== undefined);
    const title = calls.length === 0 ? request.path : calls.map(methods.titleOf).join("+");
    const role = broadcasts.length > 0 ? "broadcast" : lookUps.length > 0 ? "lookUp" : "read";
    return { role, title, hashes: [...broadcasts, ...lookUps] };
  };
  const answerEach = (request: ReplicaRequest, answer: (call: JsonRpcCall) => object): ReplicaAnswer => {
    const answers = callsOf(request).map(answer);
    return jsonAnswer(isBatch(request) ? answers : (answers[0] ?? { jsonrpc: "2.0", id: -1, ...internalError }));
  };
  const mapEach = (
    request: ReplicaRequest,
    answer: ReplicaAnswer,
    change: (one: Fields, call: JsonRpcCall | undefined) => object,
  ): ReplicaAnswer => {
    const calls = callsOf(request);
    const answered = parse(answer.body);
    const changed = Array.isArray(answered)
      ? answered.map((one, index) => change(fieldsOf(one), calls[index]))
      : change(fieldsOf(answered), calls[0]);
    return { ...answer, body: JSON.stringify(changed) };
  };
  return {
    classify,
    accepted: (request) =>
      answerEach(request, (call) => {
        const hash = methods.broadcastHash(call);
        const { id } = call;
        return hash === undefined
          ? { jsonrpc: "2.0", id, ...internalError }
          : { jsonrpc: "2.0", id, result: methods.acceptedResult(hash) };
      }),
    internalError: (request) => answerEach(request, ({ id }) => ({ jsonrpc: "2.0", id, ...internalError })),
    wrong: (request, answer, draw) =>
      mapEach(request, answer, (one, call) => {
        const { id, result, error: _error, ...rest } = one;
        if (isReceipt(call, result) && draw % 3 === 0) {
          const field = methods.receiptFields[Math.floor(draw / 3) % methods.receiptFields.length] ?? "";
          return { ...rest, id, result: without(result, field) };
        }
        return draw % 2 === 0 ? { ...rest, id } : { ...one, id: typeof id === "number" ? id + 7 : `${String(id)}7` };
      }),
    withMoreGas: (request, answer) =>
      mapEach(request, answer, (one, call) =>
        isReceipt(call, one["result"]) ? { ...one, result: methods.withMoreGas(one["result"]) } : one,
      ),
    withBlockGas: (request, answer, gas) =>
      callsOf(request).some(methods.namesBlockGas)
        ? mapEach(request, answer, (one, call) => {
            const { result } = one;
            const isNamed = call !== undefined && methods.namesBlockGas(call) && isObject(result);
            return isNamed ? { ...one, result: methods.withBlockGas(result, gas) } : one;
          })
        : answer,
  };

  function isReceipt(call: JsonRpcCall | undefined, result: unknown): result is Fields {
    return call !== undefined && methods.lookedUpHash(call) !== undefined && isObject(result);
  }
}

const internalError = { error: { code: -32603, message: "Internal error" } };

/** An object without one of its fields. */
export function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

function callsOf(request: ReplicaRequest): readonly JsonRpcCall[] {
  const received = parse(request.body);
  return (Array.isArray(received) ? received : [received]).filter(isObject).map(({ id = null, method, params }) => ({
    id,
    method: String(method),
    params,
  }));
}

function isBatch(request: ReplicaRequest): boolean {
  return Array.isArray(parse(request.body));
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
