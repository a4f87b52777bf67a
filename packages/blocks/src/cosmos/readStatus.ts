import type { Answer } from "@vipscore/core/wire";
import type { CometNode } from "./cometNode.ts";

/** The status that a node reports about itself. */
export interface NodeStatus {
  readonly chainId: string;
  /** The oldest block that it has. */
  readonly earliest: number;
  /** The newest block that it has. */
  readonly latest: number;
}

/** @throws NodeError. */
export function readStatus(node: CometNode, signal: AbortSignal): Promise<NodeStatus> {
  const read = (answer: Answer): NodeStatus => {
    const sync = answer.field("sync_info");
    return {
      chainId: answer.field("node_info").field("network").text(),
      earliest: sync.field("earliest_block_height").count(),
      latest: sync.field("latest_block_height").count(),
    };
  };
  return node.read("status", {}, read, signal);
}
