import { getContractAddress, numberToHex, type Address } from "viem";
import type { Account, PinnedOptions, Stage } from "@vipscore/core";
import type { DesiredState } from "@vipscore/core/engine";
import type { JsonRpc } from "@vipscore/core/wire";
import { readState, type DeployedState } from "./deployedState.ts";
import type { DeployStep } from "./deploySteps.ts";
import { isCodeOf, type EvmArtifact } from "./evmArtifact.ts";
import { readContract, type ContractReader } from "./readContract.ts";
import { readStageInfo } from "./vipScoreState.ts";

/** A contract that an interrupted deployment created. */
export interface StartedDeployment {
  readonly address: Address;
  /** The remaining steps after the creation. */
  readonly left: readonly DeployStep[];
}

/** A deployment, all of whose transactions are encoded. */
export interface DeploymentPlan {
  readonly artifact: EvmArtifact;
  readonly steps: readonly DeployStep[];
  readonly desired: DesiredState;
}

/**
 * Finds the contract of the same deployment that an earlier run started. A contract's address is derived from its creator
 * and the creator's sequence, so no record is needed. The contract counts only if the account has since sent nothing but
 * this deployment's creation and completed steps, and nobody has written scores.
 *
 * @param creator - The deploying account.
 * @param steps - The deployment; its first step creates the artifact's contract.
 * @param sequence - The account's next sequence at the height, with no pending transactions.
 * @returns undefined if a new contract must be created.
 */
export async function findDeployment(
  rpc: JsonRpc,
  creator: Address,
  { artifact, steps, desired }: DeploymentPlan,
  sequence: bigint,
  options: PinnedOptions,
): Promise<StartedDeployment | undefined> {
  const block = numberToHex(options.height);
  const rest = steps.slice(1);
  for (let done = 0; done <= rest.length; done += 1) {
    const nonce = sequence - 1n - BigInt(done);
    if (nonce < 0n) return undefined;
    const address = getContractAddress({ from: creator, nonce });
    const code = await rpc.read("eth_getCode", [address, block], (answer) => answer.hex(), options.signal);
    if (code === "0x") continue;
    if (!isCodeOf(artifact, code)) return undefined;
    const reader = { rpc, address };
    const state = await readState(reader, artifact.features, desired.members, options);
    if (state.initStage !== desired.initStage) return undefined;
    const left = rest.filter((step) => !isDone(step, state));
    const isUnused = await isNew(reader, artifact, state.initStage, options);
    return isUnused && rest.length - left.length === done ? { address, left } : undefined;
  }
  return undefined;
}

/** Returns whether nobody has written scores, or finalized. */
async function isNew(
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

function isDone({ subject: { step, account } }: DeployStep, state: DeployedState): boolean {
  if (step === "addMember") return state.members.some((member: Account) => member === account);
  if (step === "setFinalizer") return state.finalizer === account;
  return state.pendingOwner === account;
}
