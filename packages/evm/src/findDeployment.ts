import { getContractAddress, numberToHex, type Address, type Hex } from "viem";
import { stage as stageOf, type Account, type ContractFeatures, type PinnedOptions, type Stage } from "@vipscore/core";
import { isStepDone, type DeployedState, type DeployStep, type DesiredState } from "@vipscore/core/engine";
import type { JsonRpc } from "@vipscore/core/wire";
import { accountOfAddress } from "./evmAddress.ts";
import { isCodeOf, type EvmArtifact } from "./evmArtifact.ts";
import { readContract, type ContractReader } from "./readContract.ts";
import { readControl, readMembers, readStageInfo } from "./vipScoreState.ts";

/**
 * Finds the contract of the same deployment that an earlier run started. A contract's address is derived from its creator
 * and the creator's sequence, so no record is needed. The contract counts only if the account has since sent nothing but
 * this deployment's creation and completed steps, and nobody has written scores.
 *
 * @param creator - The deploying account.
 * @param steps - The steps after the creation of the artifact's contract.
 * @param sequence - The account's next sequence at the height, with no pending transactions.
 * @returns undefined if a new contract must be created.
 */
export async function findDeployment(
  rpc: JsonRpc,
  creator: Address,
  { artifact, steps, desired }: { artifact: EvmArtifact; steps: readonly DeployStep<Hex>[]; desired: DesiredState },
  sequence: bigint,
  options: PinnedOptions,
): Promise<{ readonly address: Address; readonly state: DeployedState } | undefined> {
  const block = numberToHex(options.height);
  for (let done = 0; done <= steps.length; done += 1) {
    const nonce = sequence - 1n - BigInt(done);
    if (nonce < 0n) return undefined;
    const address = getContractAddress({ from: creator, nonce });
    const code = await rpc.read("eth_getCode", [address, block], (answer) => answer.hex(), options.signal);
    if (code === "0x") continue;
    if (!isCodeOf(artifact, code)) return undefined;
    const reader = { rpc, address };
    const state = await readState(reader, artifact.features, desired.members, options);
    if (state.initStage !== desired.initStage) return undefined;
    // The new owner has accepted the ownership: the deployment is over.
    if (artifact.features.roles && state.owner !== accountOfAddress(creator)) return undefined;
    const isComplete = steps.filter((step) => isStepDone(step, state)).length === done;
    return isComplete && (await isUnused(reader, artifact, state.initStage, options)) ? { address, state } : undefined;
  }
  return undefined;
}

/** Reads the contract's current state. A contract without roles does not list its members: those in `wanted` that it has. */
export async function readState(
  reader: ContractReader,
  { roles }: ContractFeatures,
  wanted: readonly Account[],
  options: PinnedOptions,
): Promise<DeployedState> {
  const initStage = stageOf(await readContract(reader, "initStage", [], options));
  if (roles) {
    const [members, control] = await Promise.all([readMembers(reader, options), readControl(reader, false, options)]);
    const { owner, pendingOwner, finalizer } = control;
    return { initStage, members, finalizer, owner, pendingOwner };
  }
  const accounts = [...new Set(wanted)];
  const found = await Promise.all(accounts.map((each) => readContract(reader, "allowList", [each], options)));
  const members = accounts.filter((_, index) => found[index]);
  return { initStage, members, finalizer: undefined, owner: undefined, pendingOwner: undefined };
}

/** Returns whether nobody has written scores, or finalized. */
async function isUnused(
  reader: ContractReader,
  { features }: EvmArtifact,
  initStage: Stage,
  options: PinnedOptions,
): Promise<boolean> {
  if (features.checkedFinalize) {
    const info = await readStageInfo(reader, initStage, options);
    return info?.revision === 0n && !info.isFinalized;
  }
  const [, total, isFinalized] = await readContract(reader, "stages", [initStage], options);
  return total === 0n && !isFinalized;
}
