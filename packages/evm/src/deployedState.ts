import type { Address } from "viem";
import { CheckError, stage as stageOf, type Account, type DeployedContract, type PinnedOptions } from "@vipscore/core";
import type { DesiredState } from "@vipscore/core/engine";
import { readContract, type ContractReader } from "./readContract.ts";
import { readControl, readMembers } from "./vipScoreState.ts";

/** A deployed contract, with its state as read back from the chain. */
export interface DeployedEvm extends DeployedContract {
  readonly address: Address;
  readonly chainId: bigint;
}

/** The state that a deployment has reached. */
export type DeployedState = Omit<DeployedEvm, "address" | "chainId" | "transaction" | "version">;

/** Reads the contract's current state. */
export async function readState(reader: ContractReader, options: PinnedOptions): Promise<DeployedState> {
  const [initStage, members, control] = await Promise.all([
    readContract(reader, "initStage", [], options),
    readMembers(reader, options),
    readControl(reader, options),
  ]);
  const { owner, pendingOwner, finalizer } = control;
  return { initStage: stageOf(initStage), members, finalizer, owner, pendingOwner };
}

/**
 * Reads the contract's current state and compares it with the requested one.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` if they differ.
 */
export async function readBack(
  reader: ContractReader,
  signer: Account,
  desired: DesiredState,
  options: PinnedOptions,
): Promise<DeployedState> {
  const state = await readState(reader, options);
  const { initStage, members, finalizer, owner, pendingOwner } = state;
  const missing = [signer, ...desired.members].filter((member) => !members.includes(member));
  if (initStage !== desired.initStage) {
    throw notAsDeployed(reader.address, `its first stage is ${initStage}, not ${desired.initStage}`);
  }
  if (missing.length > 0) throw notAsDeployed(reader.address, `it lacks the members ${missing.join(", ")}`);
  if (finalizer !== desired.finalizer) {
    throw notAsDeployed(reader.address, `its finalizer is ${finalizer ?? "any member"}`);
  }
  if (owner !== signer) throw notAsDeployed(reader.address, `its owner is ${owner}`);
  if (pendingOwner !== (desired.owner === signer ? undefined : desired.owner)) {
    throw notAsDeployed(reader.address, `its ownership is offered to ${pendingOwner ?? "nobody"}`);
  }
  return state;
}

export function notAsDeployed(address: Address, difference: string): CheckError {
  return new CheckError(`the contract at ${address} is not what was deployed: ${difference}`, {
    code: "CONTRACT_NOT_FOUND",
  });
}
