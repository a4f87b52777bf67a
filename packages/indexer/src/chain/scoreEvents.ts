import type { HexAddress } from "@vipscore/blocks";
import {
  firstValue,
  moveTypeTag,
  openCometNode,
  readBech32,
  readCosmosEvents,
  readMoveAddress,
  type VmEvent,
} from "@vipscore/blocks/cosmos";
import { addressOfWord, openEvmRpc, readEvmEvents, type EvmEvent } from "@vipscore/blocks/evm";
import {
  parseAccount,
  stage as toStage,
  u64Max,
  type Account,
  type ContractIdentity,
  type Stage,
} from "@vipscore/core";
import { accountOf } from "@vipscore/core/engine";
import { parseObject } from "@vipscore/core/wire";

/** What the events of some blocks say about a stage. */
export interface StageWrites {
  /** The accounts that events name, with their last score. */
  readonly scores: Map<Account, bigint>;
  /** True after an event of a batch, which names no accounts. */
  isPacked: boolean;
  /** The total after the last event. */
  total: bigint;
}

/**
 * Reads what a scoring contract's events of some blocks say about its stages.
 *
 * @throws NodeError.
 */
export type ReadScoreEvents = (
  range: { readonly first: number; readonly last: number },
  signal: AbortSignal,
) => Promise<ReadonlyMap<Stage, StageWrites>>;

/** An event of one score, or of a batch of them. */
interface ScoreEvent {
  readonly stage: Stage;
  readonly row: readonly [Account, bigint] | undefined;
  readonly total: bigint;
}

/**
 * Opens a reader of a contract's events: `UpdateScore` and `UpdateScoresPacked` on EVM, `UpdateScoreEvent` and
 * `UpdateScoresEvent` on Move, `update-score` and `update-scores-packed` on Wasm. Events of other forms are skipped.
 *
 * @param url - The JSON-RPC on EVM, the CometBFT RPC elsewhere.
 */
export function scoreEventReader(url: string, { vm, address }: ContractIdentity): ReadScoreEvents {
  if (vm === "evm") {
    const rpc = openEvmRpc(url);
    const contract = parseAccount(address, { accountBytes: [20] });
    return async (range, signal) => {
      const writes = new Map<Stage, StageWrites>();
      for await (const { events } of readEvmEvents(rpc, { ...range, addresses: [contract], signal }))
        for (const event of events) add(writes, readEvmEvent(event));
      return writes;
    };
  }
  const node = openCometNode(url);
  const { isWanted, read } = vm === "move" ? moveEvents(address) : wasmEvents(address);
  return async (range, signal) => {
    const writes = new Map<Stage, StageWrites>();
    for await (const { items } of readCosmosEvents(node, { ...range, isWanted, signal }))
      for (const event of items) add(writes, read(event));
    return writes;
  };
}

function add(writes: Map<Stage, StageWrites>, event: ScoreEvent | undefined): void {
  if (event === undefined) return;
  const { stage, row, total } = event;
  const known = writes.get(stage) ?? { scores: new Map<Account, bigint>(), isPacked: false, total };
  known.total = total;
  if (row === undefined) known.isPacked = true;
  else known.scores.set(...row);
  writes.set(stage, known);
}

/** `UpdateScore(address indexed, uint64 indexed, uint64, uint64)` and `UpdateScoresPacked(uint64 indexed, uint64, uint64)`. */
const evmTopics = {
  score: "0xaa223ecc7f67d3014d35d9d5e419dd09b7e4b2ae2d427d33b1995b38ecfefe8d",
  packed: "0x26f2a5e0ddb15369a86cb2854af5d1802ffc51c40693c6e6f887ae2b9022a13a",
} as const;

function readEvmEvent({ topics: [event, ...indexed], data }: EvmEvent): ScoreEvent | undefined {
  const isScore = event === evmTopics.score && indexed.length === 2;
  if (data.length !== 130 || (!isScore && (event !== evmTopics.packed || indexed.length !== 1))) return undefined;
  const account = isScore ? addressOfWord(indexed[0] ?? "") : undefined;
  const fields = { stage: indexed.at(-1), score: data.slice(0, 66), total_score: `0x${data.slice(66)}` };
  return scoreEvent(account, fields);
}

/** The events of a contract; `isWanted` looks at less of an event than `read`. */
interface ContractEvents {
  readonly isWanted: (event: VmEvent) => boolean;
  readonly read: (event: VmEvent) => ScoreEvent | undefined;
}

function moveEvents(address: string): ContractEvents {
  const contract = parseAccount(address, { accountBytes: [20, 32] });
  return {
    isWanted: (event) => {
      const [module = "", name, kind] = moveTypeTag(event).split("::");
      const isKind = kind === "UpdateScoreEvent" || kind === "UpdateScoresEvent";
      return isKind && name === "vip_score" && readMoveAddress(module) === contract;
    },
    read: (event) => {
      const fields = parseObject(firstValue(event.attributes, "data") ?? "") ?? {};
      const { account } = fields;
      const isScore = moveTypeTag(event).endsWith("::UpdateScoreEvent") && typeof account === "string";
      return scoreEvent(isScore ? readMoveAddress(account) : undefined, fields);
    },
  };
}

function wasmEvents(contract: string): ContractEvents {
  return {
    isWanted: ({ type, attributes }) =>
      (type === "wasm-update-score" || type === "wasm-update-scores-packed") &&
      // As the last one of a name counts, in the fields too.
      Object.fromEntries(attributes)["_contract_address"] === contract,
    read: ({ type, attributes }) => {
      const fields = Object.fromEntries(attributes);
      const account = type === "wasm-update-score" ? readBech32(fields["addr"] ?? "") : undefined;
      return scoreEvent(account, fields);
    },
  };
}

/** Reads an event's fields; one whose account or score cannot be read counts as a batch. */
function scoreEvent(
  account: HexAddress | undefined,
  fields: Readonly<Record<string, unknown>>,
): ScoreEvent | undefined {
  const [stage, score, total] = ["stage", "score", "total_score"].map((key) => readU64(fields[key]));
  if (stage === undefined || stage === 0n || total === undefined) return undefined;
  const row = account === undefined || score === undefined ? undefined : ([accountOf(account), score] as const);
  return { stage: toStage(stage), row, total };
}

function readU64(value: unknown): bigint | undefined {
  const isNumber = typeof value === "string" && /^(?:\d{1,20}|0x[0-9a-f]{64})$/.test(value);
  return isNumber && BigInt(value) <= u64Max ? BigInt(value) : undefined;
}
