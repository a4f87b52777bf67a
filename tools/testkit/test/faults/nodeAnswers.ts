import { bytesToHex } from "viem";
import type { Vm } from "@vipscore/core";

/** A test's queries to the node of a VM over HTTP, without the product's clients. */
export interface NodeAnswers {
  /** Broadcasts a transaction. */
  readonly send: (url: string, bytes: Uint8Array) => Promise<Response>;
  /** Looks up a transaction. */
  readonly find: (url: string, hash: string) => Promise<Response>;
  /** The hash in an answer to `send`. */
  readonly sentHash: (answer: unknown) => unknown;
  /** The gas used in an answer to `find`; undefined if the transaction is not in a block. */
  readonly gasUsed: (answer: unknown) => bigint | undefined;
}

/** By VM. */
export const nodeAnswers: Readonly<Record<Vm, NodeAnswers>> = {
  evm: {
    send: (url, bytes) => call(url, "eth_sendRawTransaction", [bytesToHex(bytes)]),
    find: (url, hash) => call(url, "eth_getTransactionReceipt", [hash]),
    sentHash: (answer) => at(answer, "result"),
    gasUsed: (answer) => gas(at(answer, "result", "gasUsed")),
  },
  move: {
    send: (url, bytes) =>
      fetch(`${url}/cosmos/tx/v1beta1/txs`, {
        method: "POST",
        body: JSON.stringify({ tx_bytes: Buffer.from(bytes).toString("base64"), mode: "BROADCAST_MODE_SYNC" }),
      }),
    find: (url, hash) => fetch(`${url}/cosmos/tx/v1beta1/txs/${hash}`),
    sentHash: (answer) => at(answer, "tx_response", "txhash"),
    gasUsed: (answer) => gas(at(answer, "tx_response", "gas_used")),
  },
  wasm: {
    send: (url, bytes) => call(url, "broadcast_tx_sync", { tx: Buffer.from(bytes).toString("base64") }),
    find: (url, hash) => call(url, "tx", { hash: Buffer.from(hash, "hex").toString("base64"), prove: false }),
    sentHash: (answer) => at(answer, "result", "hash"),
    gasUsed: (answer) => gas(at(answer, "result", "tx_result", "gas_used")),
  },
};

function call(url: string, method: string, params: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) current = (current as Record<string, unknown> | null | undefined)?.[name];
  return current;
}

function gas(value: unknown): bigint | undefined {
  return typeof value === "string" ? BigInt(value) : undefined;
}
