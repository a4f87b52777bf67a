import type { Address } from "viem";
import {
  CheckError,
  stage as stageOf,
  type Account,
  type ContractFeatures,
  type DeployedContract,
  type PinnedOptions,
} from "@vipscore/core";
import type { DesiredState } from "@vipscore/core/engine";
import { readContract, type ContractReader } from "./readContract.ts";
import { readControl, readMembers } from "./vipScoreState.ts";

/** A deployed contract, with its state as read back from the chain. */
export interface DeployedEvm extends DeployedContract {
  readonly address: Address;
  readonly chainId: bigint;
}

/** The state that a deployment has reached. */
export type DeployedState = Omit<DeployedEvm, "address" | "chainId" | "transaction" | "version" | "features">;

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

/**
 * Reads the contract's current state and compares it with the requested one.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` if they differ.
 */
export async function readBack(
  reader: ContractReader,
  { features, signer, desired }: { features: ContractFeatures; signer: Account; desired: DesiredState },
  options: PinnedOptions,
): Promise<DeployedState> {
  const wanted = [signer, ...desired.members];
  const state = await readState(reader, features, wanted, options);
  const { initStage, members, finalizer, owner, pendingOwner } = state;
  const missing = wanted.filter((member) => !members.includes(member));
  if (initStage !== desired.initStage) {
    throw notAsDeployed(reader.address, `its first stage is ${initStage}, not ${desired.initStage}`);
  }
  if (missing.length > 0) throw notAsDeployed(reader.address, `it lacks the members ${missing.join(", ")}`);
  if (!features.roles) return state;
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
