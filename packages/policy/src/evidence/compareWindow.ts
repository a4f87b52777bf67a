import { VipError } from "@vipscore/core";
import type { ManifestBlock, ManifestWindow } from "@vipscore/core/manifest";
import type { PolicyChain } from "../chain/policyChain.ts";
import { readBlockHead, type BlockHead, type RollupNode } from "../chain/rollupNode.ts";

/** One end of a window, as a manifest recorded it and as the chain has it now. */
export interface WindowEnd {
  readonly end: "first" | "last";
  readonly recorded: ManifestBlock;
  /** The block that the policy's window has here now. */
  readonly resolved: BlockHead;
  /** The chain's block at the recorded height; undefined if the node does not have that block. */
  readonly found: BlockHead | undefined;
}

/** Reads both ends of a recorded window from the chain. @throws NodeError; the signal's reason when aborted. */
export async function compareWindow(
  { node, window }: PolicyChain,
  recorded: ManifestWindow,
  signal: AbortSignal,
): Promise<readonly [first: WindowEnd, last: WindowEnd]> {
  const compare = async (end: "first" | "last"): Promise<WindowEnd> => {
    const resolved = window[end];
    const { height } = recorded[end];
    const found = resolved.height === height ? resolved : await findBlockHead(node, height, signal);
    return { end, recorded: recorded[end], resolved, found };
  };
  return [await compare("first"), await compare("last")];
}

async function findBlockHead(node: RollupNode, height: number, signal: AbortSignal): Promise<BlockHead | undefined> {
  try {
    return await readBlockHead(node, height, signal);
  } catch (error) {
    if (VipError.isVipError(error) && error.code === "NODE_UNREACHABLE") return undefined;
    throw error;
  }
}
