import { readFileSync } from "node:fs";
import { script, type ScriptedAnswer, type ScriptedServer } from "../scriptedServer.ts";

/** An event as CometBFT writes it. */
export interface PlayedEvent {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string; readonly index?: boolean }[];
}

/** A transaction of a recording, alone in its block. */
interface RecordedTransaction {
  readonly height: string;
  readonly time: string;
  readonly hash: string;
  /** In base64. */
  readonly transaction: string;
  readonly code: number;
  readonly events: readonly PlayedEvent[];
}

/** An answer of CometBFT's RPC. */
interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Recording {
  readonly status: RpcAnswer;
  readonly abci_info: RpcAnswer;
  readonly block: RpcAnswer;
  readonly block_results: RpcAnswer;
  readonly unknown_method: RpcAnswer;
  readonly transactions: readonly RecordedTransaction[];
}

/** The life of a collection and its NFTs on minimove; see its note. */
export const recorded = JSON.parse(
  readFileSync(new URL("recordings/minimove.json", import.meta.url), "utf8"),
) as Recording;

/** A block of a fake node, with the events of its transactions; `undefined` for a failed transaction. */
export interface PlayedBlock {
  readonly height: number;
  readonly time: string;
  /** In base64. */
  readonly transactions: readonly string[];
  readonly events: readonly (readonly PlayedEvent[] | undefined)[];
}

/** The parameters of a request, and how often its method was called before. */
export interface PlayedRequest {
  readonly parameters: Readonly<Record<string, string>>;
  readonly turn: number;
}

/** Replaces a node's answer to a method; undefined to answer from its blocks. */
export type Override = (request: PlayedRequest) => ScriptedAnswer | undefined;

interface PlayedNode {
  readonly blocks: readonly PlayedBlock[];
  /** The oldest and the newest block; blocks in between that are not listed are empty. */
  readonly earliest: number;
  readonly latest: number;
  readonly overrides?: Readonly<Record<string, Override>>;
}

/** The blocks of the recording. */
export const recordedBlocks: readonly PlayedBlock[] = recorded.transactions.map(
  ({ height, time, transaction, events }) => ({
    height: Number(height),
    time,
    transactions: [transaction],
    events: [events],
  }),
);

/** Serves the RPC of a node with CometBFT 0.38 that has the blocks, as far as a reader of NFTs needs it. */
export async function playNode(node: PlayedNode): Promise<ScriptedServer> {
  const turns = new Map<string, number>();
  return script(({ body }) => {
    const { method, params, id } = JSON.parse(body) as {
      readonly method: string;
      readonly params: Readonly<Record<string, string>>;
      readonly id: unknown;
    };
    const turn = turns.get(method) ?? 0;
    turns.set(method, turn + 1);
    const override = node.overrides?.[method]?.({ parameters: params, turn });
    return override ?? { body: { jsonrpc: "2.0", id, ...answer(node, method, params) } };
  });
}

/** A JSON-RPC error as CometBFT writes it. */
export function rpcError(data: string): ScriptedAnswer {
  return { body: { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error", data } } };
}

function answer(node: PlayedNode, method: string, parameters: Readonly<Record<string, string>>): RpcAnswer {
  const { earliest, latest } = node;
  const height = Number(parameters["height"]);
  const block = node.blocks.find((one) => one.height === height);
  switch (method) {
    case "status": {
      const { node_info: nodeInfo, sync_info: sync } = recorded.status.result as Readonly<Record<string, object>>;
      const heights = { earliest_block_height: String(earliest), latest_block_height: String(latest) };
      return { result: { node_info: nodeInfo, sync_info: { ...sync, ...heights } } };
    }
    case "abci_info":
      return { result: { response: { data: "minitia", last_block_height: String(latest) } } };
    case "blockchain":
      return headersOf(node, Number(parameters["minHeight"]), Number(parameters["maxHeight"]));
    case "block":
      return { result: { block_id: { hash: hashOf(height) }, block: { data: { txs: block?.transactions ?? [] } } } };
    case "block_results": {
      const results = block?.events.map((events) => ({ code: events === undefined ? 5 : 0, events: events ?? [] }));
      return { result: { height: String(height), txs_results: results ?? null } };
    }
    default:
      return recorded.unknown_method;
  }
}

function headersOf({ blocks, earliest, latest }: PlayedNode, first: number, last: number): RpcAnswer {
  const [min, max] = [Math.max(first, earliest), Math.min(last, latest)];
  if (min > max) {
    const data = `min height ${min} can't be greater than max height ${max}`;
    return { error: { code: -32603, message: "Internal error", data } };
  }
  const heights = Array.from({ length: Math.min(20, max - min + 1) }, (_, index) => max - index);
  const metas = heights.map((height) => {
    const block = blocks.find((one) => one.height === height);
    const header = { height: String(height), time: block?.time ?? "2026-11-21T07:27:43.832630526Z" };
    return { block_id: { hash: hashOf(height) }, header, num_txs: String(block?.transactions.length ?? 0) };
  });
  return { result: { last_height: String(latest), block_metas: metas } };
}

/** A hash of a fake block in uppercase hex. */
export function hashOf(height: number): string {
  return height.toString(16).padStart(64, "A").toUpperCase();
}
