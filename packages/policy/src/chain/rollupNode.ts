import { findHeader, openCometNode, readStatus, type CometNode } from "@vipscore/blocks/cosmos";
import { openEvmRpc, readBlockHeads, type EvmRpc } from "@vipscore/blocks/evm";
import { NodeError, type Vm } from "@vipscore/core";

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
  return vm === "evm" ? { vm, rpc: openEvmRpc(url) } : { vm, comet: openCometNode(url) };
}

/** The node's endpoint, without credentials, for messages. */
export function endpointOf(node: RollupNode): string {
  return node.vm === "evm" ? node.rpc.endpoint : node.comet.endpoint;
}

/** Reads the chain's ID; on EVM `eth_chainId` in decimal. @throws NodeError; the signal's reason when aborted. */
export async function readChainId(node: RollupNode, signal: AbortSignal): Promise<string> {
  if (node.vm !== "evm") return (await readStatus(node.comet, signal)).chainId;
  return node.rpc.read("eth_chainId", [], (answer) => answer.quantity().toString(), signal);
}

/** Reads the newest height. @throws NodeError; the signal's reason when aborted. */
export async function readHeight(node: RollupNode, signal: AbortSignal): Promise<number> {
  if (node.vm !== "evm") return (await readStatus(node.comet, signal)).latest;
  return node.rpc.read("eth_blockNumber", [], (answer) => answer.hexCount(), signal);
}

/**
 * Reads a block's hash and time.
 *
 * @throws NodeError, `NODE_UNREACHABLE` if the node does not have the block; the signal's reason when aborted.
 */
export async function readBlockHead(node: RollupNode, height: number, signal: AbortSignal): Promise<BlockHead> {
  const found =
    node.vm === "evm"
      ? (await readBlockHeads(node.rpc, [height], signal)).get(height)
      : await findHeader(node.comet, height, signal);
  if (found === undefined) {
    throw new NodeError(`${endpointOf(node)} does not have block ${height}`, { code: "NODE_UNREACHABLE" });
  }
  return { height, hash: found.hash, time: unixSeconds(found.timestamp) };
}

/** Converts RFC 3339 in UTC to Unix time in whole seconds, rounded down. */
export function unixSeconds(timestamp: string): number {
  return Math.floor(Date.parse(timestamp) / 1000);
}
