import { CheckError, type Account, type Stage, type WaitOptions } from "@vipscore/core";
import { getContractAddress, zeroAddress, type Address, type LocalAccount } from "viem";
import { callContract, type ContractReader } from "./callContract.ts";
import { planDeployment, runDeployStep, type DeployEvent } from "./deploySteps.ts";
import { EvmScoreContract } from "./evmScoreContract.ts";
import { identifyContract } from "./identifyContract.ts";
import { checkChainId, type ReadChainIdParameters } from "./readChainId.ts";
import { openRpc } from "./rpc/openRpc.ts";
import { readQuantity } from "./rpc/readQuantity.ts";
import { toAccount } from "./toAccount.ts";

export type DeployEvmParameters = ReadChainIdParameters & {
  /** Pays, becomes the contract's owner and its first allow-list member. */
  readonly account: LocalAccount;
  /** The first stage; it is created with the contract. */
  readonly initStage: Stage;
  /** Further allow-list members. */
  readonly members?: readonly Account[];
  /** Who shall own the contract instead of `account`. It is offered to it, and moves when it calls `acceptOwnership()`. */
  readonly owner?: Account;
  /** Told of each step before it leaves and when it is done. */
  readonly onEvent?: (event: DeployEvent) => void;
} & Pick<WaitOptions, "inclusionTimeoutMs">;

/** A deployed contract, its state read back from the chain. */
export interface DeployedEvm {
  readonly address: Address;
  readonly chainId: bigint;
  /** Hash of the creating transaction. */
  readonly hash: string;
  /** Height of the contract's first block. */
  readonly height: bigint;
  /** Gas of the creation alone. */
  readonly gasUsed: bigint;
  /** The contract's own version. */
  readonly version: string;
  readonly initStage: Stage;
  readonly members: readonly Account[];
  readonly owner: Account;
  /** Who must call `acceptOwnership()` to become the owner; undefined when ownership was not offered. */
  readonly pendingOwner: Account | undefined;
}

/**
 * Deploys the scoring contract of this package, adds members, offers ownership, and reads all of it back.
 *
 * @throws CheckError `CHAIN_MISMATCH`, or `CONTRACT_NOT_FOUND` when the chain does not hold what was deployed;
 * ExecutionError `TRANSACTION_FAILED`; BroadcastError; NodeError; the signal's reason when aborted. A failure after the
 * step `deploy` leaves a contract at the address of the events: connect to it and add what is missing.
 * @example
 * const { address } = await deployEvm({ rpcUrl, account, initStage: stage(1n) });
 */
export async function deployEvm(parameters: DeployEvmParameters): Promise<DeployedEvm> {
  const { account, signal, inclusionTimeoutMs, onEvent } = parameters;
  const rpc = openRpc(parameters);
  const chainId = await checkChainId(rpc, parameters);
  const steps = planDeployment(parameters, toAccount(account.address));
  const first = await readQuantity(rpc, "eth_getTransactionCount", [account.address, "pending"], signal);
  const address = getContractAddress({ from: account.address, nonce: first });
  const reader = { rpc, address };
  const contract = new EvmScoreContract({ ...reader, chainId, version: undefined, account });
  const wait = { ...(inclusionTimeoutMs && { inclusionTimeoutMs }), ...(signal && { signal }) };
  const context = { rpc, chainId, account, contract, ...(onEvent && { onEvent }), ...wait };

  const [deploy, ...rest] = steps;
  if (deploy === undefined) throw new Error("a deployment has a first step");
  const { hash, height, gasUsed } = await runDeployStep(context, deploy, first);
  // At that height, which a node that lags behind does not have yet: then the read is repeated.
  const version = await identifyContract(reader, { height, ...(signal && { signal }) });
  if (version === undefined) throw notAsDeployed(address, "it has no version");
  let last = height;
  for (const [index, step] of rest.entries()) {
    ({ height: last } = await runDeployStep(context, step, first + BigInt(index) + 1n));
  }
  const state = await readBack(reader, last, parameters);
  return { address, chainId, hash, height, gasUsed, version, ...state };
}

/** Reads what the chain holds at a height, and compares it with what was asked for. */
async function readBack(
  reader: ContractReader,
  height: bigint,
  { account, initStage, members: wanted = [], owner: wantedOwner, signal }: DeployEvmParameters,
): Promise<Pick<DeployedEvm, "initStage" | "members" | "owner" | "pendingOwner">> {
  const options = { height, ...(signal && { signal }) };
  const [first, listed, owner, pending] = await Promise.all([
    callContract(reader, "initStage", [], options),
    callContract(reader, "allowListMembers", [], options),
    callContract(reader, "owner", [], options),
    callContract(reader, "pendingOwner", [], options),
  ]);
  const signer = toAccount(account.address);
  const members = listed.map(toAccount);
  const pendingOwner = pending === zeroAddress ? undefined : toAccount(pending);
  const missing = [signer, ...wanted].filter((member) => !members.includes(member));
  if (first !== initStage) throw notAsDeployed(reader.address, `its first stage is ${first}, not ${initStage}`);
  if (missing.length > 0) throw notAsDeployed(reader.address, `it lacks the members ${missing.join(", ")}`);
  if (toAccount(owner) !== signer) throw notAsDeployed(reader.address, `its owner is ${owner}`);
  if (pendingOwner !== (wantedOwner === signer ? undefined : wantedOwner)) {
    throw notAsDeployed(reader.address, `its ownership is offered to ${pendingOwner ?? "nobody"}`);
  }
  return { initStage, members, owner: signer, pendingOwner };
}

function notAsDeployed(address: Address, difference: string): CheckError {
  return new CheckError(`the contract at ${address} is not what was deployed: ${difference}`, {
    code: "CONTRACT_NOT_FOUND",
  });
}
