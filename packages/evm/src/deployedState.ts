import { CheckError, stage as stageOf, type Account, type DeployedContract, type PinnedOptions } from "@vipscore/core";
import type { Address } from "viem";
import { callContract, type ContractReader } from "./callContract.ts";
import type { DeployWish } from "./deploySteps.ts";
import { readControl } from "./readControl.ts";
import { toAccount } from "./toAccount.ts";

/** A deployed contract, its state read back from the chain. */
export interface DeployedEvm extends DeployedContract {
  readonly address: Address;
  readonly chainId: bigint;
}

/** What the deployment of a contract has led to. */
export type DeployedState = Omit<DeployedEvm, "address" | "chainId" | "transaction" | "version">;

/** Reads what the chain holds now. */
export async function readState(reader: ContractReader, options: PinnedOptions): Promise<DeployedState> {
  const [initStage, members, control] = await Promise.all([
    callContract(reader, "initStage", [], options),
    callContract(reader, "allowListMembers", [], options),
    readControl(reader, options, { finalizer: true }),
  ]);
  const { owner, pendingOwner, finalizer } = control;
  return { initStage: stageOf(initStage), members: members.map(toAccount), finalizer, owner, pendingOwner };
}

/**
 * Reads what the chain holds now and compares it with what was asked for.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` where it is something else.
 */
export async function readBack(
  reader: ContractReader,
  signer: Account,
  wish: DeployWish,
  options: PinnedOptions,
): Promise<DeployedState> {
  const state = await readState(reader, options);
  const { initStage, members, finalizer, owner, pendingOwner } = state;
  const missing = [signer, ...(wish.members ?? [])].filter((member) => !members.includes(member));
  if (initStage !== wish.initStage) {
    throw notAsDeployed(reader.address, `its first stage is ${initStage}, not ${wish.initStage}`);
  }
  if (missing.length > 0) throw notAsDeployed(reader.address, `it lacks the members ${missing.join(", ")}`);
  if (finalizer !== wish.finalizer) {
    throw notAsDeployed(reader.address, `its finalizer is ${finalizer ?? "any member"}`);
  }
  if (owner !== signer) throw notAsDeployed(reader.address, `its owner is ${owner}`);
  if (pendingOwner !== (wish.owner === signer ? undefined : wish.owner)) {
    throw notAsDeployed(reader.address, `its ownership is offered to ${pendingOwner ?? "nobody"}`);
  }
  return state;
}

export function notAsDeployed(address: Address, difference: string): CheckError {
  return new CheckError(`the contract at ${address} is not what was deployed: ${difference}`, {
    code: "CONTRACT_NOT_FOUND",
  });
}
