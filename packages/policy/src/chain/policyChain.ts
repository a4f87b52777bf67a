import { InputError, VipError } from "@vipscore/core";
import type { CollectProgress } from "../data/storedSource.ts";
import type { BlockRange, OpenNftOwners } from "./chainSource.ts";
import {
  endpointOf,
  findLowest,
  readBlockHead,
  readChainId,
  readHeight,
  type BlockHead,
  type RollupNode,
} from "./rollupNode.ts";

/** Unix times in whole seconds: blocks from `start` on and before `end`. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** The part of the rollup that a policy counts: blocks, both included, or those of a time. */
export type PolicyWindow = { readonly blocks: BlockRange } | { readonly times: TimeRange };

/** The blocks that a policy counts, as the chain has them. */
export interface ResolvedWindow {
  readonly first: BlockHead;
  readonly last: BlockHead;
}

/** The rollup that a policy counts, and where what is read from it is stored. */
export interface PolicyChain {
  readonly node: RollupNode;
  /** The chain's ID as the node gives it. */
  readonly chainId: string;
  readonly window: ResolvedWindow;
  /** The folder of stored data; created if needed. */
  readonly folder: string;
  readonly onProgress: ((progress: CollectProgress) => void) | undefined;
  /** Reads NFTs from the node; undefined if no source needs it. */
  readonly openNftOwners?: OpenNftOwners | undefined;
}

/** Options of {@link openPolicyChain}. */
export interface OpenPolicyChainOptions {
  readonly node: RollupNode;
  readonly folder: string;
  /** The window of a policy that names none. */
  readonly stageWindow?: PolicyWindow | undefined;
  readonly onProgress?: ((progress: CollectProgress) => void) | undefined;
  /** Reads NFTs from the node; needed by sources of NFTs. */
  readonly openNftOwners?: OpenNftOwners | undefined;
  readonly signal: AbortSignal;
}

/**
 * Checks that a node serves the policy's chain, and finds the policy's blocks.
 *
 * @throws VipError `CHAIN_MISMATCH`, `WINDOW_OPEN`; InputError `CONFIG_INVALID` if neither the policy nor the options name a window,
 * `POLICY_INVALID` for a window without blocks; NodeError; the signal's reason when aborted.
 */
export async function openPolicyChain(
  policy: { readonly chainId: string; readonly window: PolicyWindow | undefined },
  { node, folder, stageWindow, onProgress, openNftOwners, signal }: OpenPolicyChainOptions,
): Promise<PolicyChain> {
  const window = policy.window ?? stageWindow;
  if (window === undefined) {
    throw new InputError("policy.toml has no window, and the stage's times on L1 are not known", {
      code: "CONFIG_INVALID",
      metaMessages: [{ code: "name-window", text: "Add blocks or times under [window], or name L1." }],
    });
  }
  const chainId = await readChainId(node, signal);
  if (chainId !== policy.chainId) {
    throw new VipError(`the policy is for chain ${policy.chainId}, and ${endpointOf(node)} serves ${chainId}`, {
      code: "CHAIN_MISMATCH",
    });
  }
  return { node, chainId, folder, onProgress, openNftOwners, window: await resolveWindow(node, window, signal) };
}

/** Finds the blocks of a window. Times select the blocks from the start on and before the end. */
async function resolveWindow(node: RollupNode, window: PolicyWindow, signal: AbortSignal): Promise<ResolvedWindow> {
  const newest = await readHeight(node, signal);
  const { first, last } =
    "blocks" in window ? blocksOf(window.blocks, newest, node) : await blocksWithin(node, window.times, newest, signal);
  const [firstHead, lastHead] = [await readBlockHead(node, first, signal), await readBlockHead(node, last, signal)];
  return { first: firstHead, last: lastHead };
}

function blocksOf(range: BlockRange, newest: number, node: RollupNode): BlockRange {
  if (range.last <= newest) return range;
  throw windowOpen(`block ${range.last}, the window's last, does not exist yet: ${endpointOf(node)} is at ${newest}`);
}

async function blocksWithin(
  node: RollupNode,
  { start, end }: { readonly start: number; readonly end: number },
  newest: number,
  signal: AbortSignal,
): Promise<BlockRange> {
  const timeOf = async (height: number): Promise<number> => (await readBlockHead(node, height, signal)).time;
  const newestTime = await timeOf(newest);
  // A later block could still have a time before the end.
  if (newestTime < end) {
    throw windowOpen(
      `the window ends at ${isoTime(end)}, and the newest block, ${newest}, has the time ${isoTime(newestTime)}`,
    );
  }
  // Block times never decrease.
  const firstFrom = (time: number) => findLowest(0, newest, async (height) => (await timeOf(height)) >= time);
  const first = await firstFrom(start);
  const last = (await firstFrom(end)) - 1;
  if (last >= first) return { first, last };
  throw new InputError(`the chain has no block from ${isoTime(start)} to ${isoTime(end)}`, { code: "POLICY_INVALID" });
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}

function windowOpen(problem: string): VipError {
  return new VipError(problem, {
    code: "WINDOW_OPEN",
    metaMessages: [
      "Try again once the window is over: until then, its events can still change the scores.",
      "To try the policy now, name earlier blocks or times under [window] of policy.toml.",
    ],
  });
}
