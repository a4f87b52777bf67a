import { NodeError } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { allGiven } from "./batchReader.ts";
import type { EvmRpc } from "./evmRpc.ts";
import { Contradiction } from "./logChecker.ts";
import { lowerHex, quantity } from "./rpcValues.ts";

const method = "eth_getBlockByNumber";

/**
 * Reads the hash of a block in lowercase; undefined if the node does not have the block.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export function readBlockHash(rpc: EvmRpc, height: number, signal: AbortSignal): Promise<string | undefined> {
  const read = (answer: Answer) => (answer.value === null ? undefined : lowerHex(answer.field("hash"), 32));
  return rpc.read(method, [quantity(height), false], read, signal);
}

/**
 * Reads the times of blocks by height, RFC 3339 in UTC with whole seconds, the precision of EVM chains.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export async function readBlockTimes(
  rpc: EvmRpc,
  heights: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const calls = heights.map((height) => ({ method, params: [quantity(height), false], height }));
  return new Map(allGiven(await rpc.readAll(calls, (answer, { height }) => [height, timeOf(answer)] as const, signal)));
}

/** The hash that identifies a block, and its time. */
export interface BlockHead {
  /** Lowercase hex. */
  readonly hash: string;
  /** RFC 3339 in UTC with whole seconds. */
  readonly timestamp: string;
}

/**
 * Reads a block's hash and time; undefined if the node does not have the block.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export function findBlockHead(rpc: EvmRpc, height: number, signal: AbortSignal): Promise<BlockHead | undefined> {
  return rpc.read(method, [quantity(height), false], (answer) => readHead(answer, height), signal);
}

/**
 * Reads the hashes and times of blocks by height.
 *
 * @param logged - `hashes`: the hashes of blocks that logs name, by height; all that are read must be the same. `look` gets each
 * header.
 * @throws Contradiction; NodeError; the signal's reason when aborted.
 */
export async function readBlockHeads(
  rpc: EvmRpc,
  heights: readonly number[],
  signal: AbortSignal,
  logged: {
    readonly hashes?: ReadonlyMap<number, string>;
    readonly look?: (height: number, header: Answer) => void;
  } = {},
): Promise<ReadonlyMap<number, BlockHead>> {
  const calls = heights.map((height) => ({ method, params: [quantity(height), false], height }));
  const readCall = (answer: Answer, { height }: (typeof calls)[number]): readonly [number, BlockHead] => {
    const head = readHead(answer, height);
    if (head !== undefined) {
      logged.look?.(height, answer);
      return [height, head];
    }
    throw new NodeError(`${rpc.endpoint} does not have block ${height}`, { code: "NODE_UNREACHABLE" });
  };
  const heads = new Map(allGiven(await rpc.readAll(calls, readCall, signal)));
  for (const [height, hash] of logged.hashes ?? []) {
    if (hash === (heads.get(height)?.hash ?? hash)) continue;
    throw new Contradiction(rpc.endpoint, `logs of another block at height ${height} than the one it has there`);
  }
  return heads;
}

function readHead(answer: Answer, height: number): BlockHead | undefined {
  if (answer.value === null) return undefined;
  requireHeight(answer, height);
  return { hash: lowerHex(answer.field("hash"), 32), timestamp: timeOf(answer) };
}

export function requireHeight(answer: Answer, height: number): void {
  const number = answer.optional("number");
  if (number !== undefined && number.hexCount() !== height)
    number.unreadable(`${quantity(height)}, which was asked for`);
}

/** The time of a block, RFC 3339 in UTC with whole seconds. */
export function timeOf(answer: Answer): string {
  const timestamp = answer.field("timestamp");
  const seconds = timestamp.hexCount();
  // The last second of the year 9999: RFC 3339 has no later one.
  if (seconds > 253_402_300_799) timestamp.unreadable("a time up to the year 9999");
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
