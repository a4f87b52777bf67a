import { findHeader, openCometNode, readStatus, type CometNode } from "@vipscore/blocks/cosmos";
import { findBlockHead, openEvmRpc, readBlockHash, type EvmRpc } from "@vipscore/blocks/evm";
import { NodeError, type Vm } from "@vipscore/core";
import { patienceMs } from "@vipscore/core/wire";

/** A node of the rollup that a policy counts. */
export type RollupNode =
  { readonly vm: "evm"; readonly rpc: EvmRpc } | { readonly vm: "move" | "wasm"; readonly comet: CometNode };

/** A block's hash and time. */
export interface BlockHead {
  readonly height: number;
  /** Lower-case hex. */
  readonly hash: string;
  /** Unix time in whole seconds, rounded down. */
  readonly time: number;
}

/**
 * Opens a node.
 *
 * @param url JSON-RPC on EVM, CometBFT's RPC on Move and Wasm.
 * @throws InputError `CONFIG_INVALID` if it is not an http or https URL.
 */
export function openRollupNode(vm: Vm, url: string): RollupNode {
  // An audit that ends early reads everything again.
  const options = { patienceMs: patienceMs.outage };
  return vm === "evm" ? { vm, rpc: openEvmRpc(url, options) } : { vm, comet: openCometNode(url, options) };
}

/** The node's endpoint, without credentials, for messages. */
export function endpointOf(node: RollupNode): string {
  return node.vm === "evm" ? node.rpc.endpoint : node.comet.endpoint;
}

/** Reads the chain's ID; on EVM `eth_chainId` in decimal. */
export async function readChainId(node: RollupNode, signal: AbortSignal): Promise<string> {
  if (node.vm !== "evm") return (await readStatus(node.comet, signal)).chainId;
  return node.rpc.read("eth_chainId", [], (answer) => answer.quantity().toString(), signal);
}

export async function readHeight(node: RollupNode, signal: AbortSignal): Promise<number> {
  if (node.vm !== "evm") return (await readStatus(node.comet, signal)).latest;
  return node.rpc.read("eth_blockNumber", [], (answer) => answer.hexCount(), signal);
}

/** @throws NodeError, `NODE_UNREACHABLE` if the node does not have the block, with the first one that it has if that is later. */
export async function readBlockHead(node: RollupNode, height: number, signal: AbortSignal): Promise<BlockHead> {
  const found =
    node.vm === "evm" ? await findBlockHead(node.rpc, height, signal) : await findHeader(node.comet, height, signal);
  if (found === undefined) throw await missingBlock(node, height, signal);
  return { height, hash: found.hash, time: unixSeconds(found.timestamp) };
}

async function missingBlock(node: RollupNode, height: number, signal: AbortSignal): Promise<NodeError> {
  const newest = await readHeight(node, signal);
  const first = height >= newest ? undefined : await findFirstBlock(node, { below: height, newest }, signal);
  const problem = `${endpointOf(node)} does not have block ${height}`;
  if (first === undefined) return new NodeError(problem, { code: "NODE_UNREACHABLE" });
  return new NodeError(`${problem}; its first block is ${first}`, {
    code: "NODE_UNREACHABLE",
    metaMessages: ["Use a node that keeps the blocks from there on, such as an archive node."],
  });
}

/** Finds the first block that a node has. It has the newest one, and not the one below. */
async function findFirstBlock(
  node: RollupNode,
  { below, newest }: { readonly below: number; readonly newest: number },
  signal: AbortSignal,
): Promise<number> {
  if (node.vm !== "evm") return (await readStatus(node.comet, signal)).earliest;
  const { rpc } = node;
  return findLowest(below, newest, async (height) => (await readBlockHash(rpc, height, signal)) !== undefined);
}

/** Returns the lowest height above `below` from which on all heights fit, as `fitting` does and `below` does not. */
export async function findLowest(
  below: number,
  fitting: number,
  fits: (height: number) => Promise<boolean>,
): Promise<number> {
  let [other, found] = [below, fitting];
  while (found - other > 1) {
    const middle = Math.floor((other + found) / 2);
    if (await fits(middle)) found = middle;
    else other = middle;
  }
  return found;
}

/** Converts RFC 3339 in UTC to Unix time in whole seconds, rounded down. */
export function unixSeconds(timestamp: string): number {
  return Math.floor(Date.parse(timestamp) / 1000);
}
