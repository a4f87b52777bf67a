import type { CometNode } from "./cometNode.ts";

/** What a node tells of itself. */
export interface NodeStatus {
  readonly chainId: string;
  /** The oldest block that it has. */
  readonly earliest: number;
  /** The newest block that it has. */
  readonly latest: number;
}

/** @throws NodeError. */
export async function readStatus(node: CometNode, signal: AbortSignal): Promise<NodeStatus> {
  const answer = await node.ask("status", {}, signal);
  const sync = answer.at("sync_info");
  return {
    chainId: answer.at("node_info").at("network").text(),
    earliest: sync.at("earliest_block_height").count(),
    latest: sync.at("latest_block_height").count(),
  };
}
