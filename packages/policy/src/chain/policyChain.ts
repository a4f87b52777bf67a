import { CheckError, InputError } from "@vipscore/core";
import type { CollectProgress } from "../data/storedSource.ts";
import type { OpenNftOwners } from "./nftOwners.ts";
import { resolveWindow, type PolicyWindow, type ResolvedWindow } from "./resolveWindow.ts";
import { endpointOf, readChainId, type RollupNode } from "./rollupNode.ts";

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
 * @throws CheckError `CHAIN_MISMATCH`, `WINDOW_OPEN`; InputError `CONFIG_INVALID` if neither the policy nor the options name a window,
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
    throw new CheckError(`the policy is for chain ${policy.chainId}, and ${endpointOf(node)} serves ${chainId}`, {
      code: "CHAIN_MISMATCH",
    });
  }
  return { node, chainId, folder, onProgress, openNftOwners, window: await resolveWindow(node, window, signal) };
}
