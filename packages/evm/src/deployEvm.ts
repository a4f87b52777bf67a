import {
  BroadcastError,
  CheckError,
  type Account,
  type PinnedOptions,
  type Stage,
  type WaitOptions,
} from "@vipscore/core";
import { pollUntil, sequenceAfter } from "@vipscore/core/engine";
import { nodeBehind, patienceMs, type HeightFloor } from "@vipscore/core/wire";
import { getContractAddress, type Address, type LocalAccount } from "viem";
import { callContract, type ContractReader } from "./callContract.ts";
import {
  planDeployment,
  runDeployStep,
  type DeployContext,
  type DeployEvmEvent,
  type DeployStep,
} from "./deploySteps.ts";
import { EvmScoreContract } from "./evmScoreContract.ts";
import { identifyContract } from "./identifyContract.ts";
import { checkChainId, type ReadEvmChainIdParameters } from "./readEvmChainId.ts";
import { openHeights } from "./readHeight.ts";
import { openRpc } from "./rpc/openRpc.ts";
import { readControl } from "./readControl.ts";
import { toAccount } from "./toAccount.ts";

/** How often the creating transaction is signed at most, with another sequence each time. */
const mostAttempts = 3;

export type DeployEvmParameters = ReadEvmChainIdParameters & {
  /** Pays, becomes the contract's owner and its first allow-list member. */
  readonly account: LocalAccount;
  /** The first stage; it is created with the contract. */
  readonly initStage: Stage;
  /** Further allow-list members. */
  readonly members?: readonly Account[] | undefined;
  /** The one account that alone finalizes stages, member or not; default: every member does. */
  readonly finalizer?: Account | undefined;
  /** Who shall own the contract instead of `account`. It is offered to it, and moves when it calls `acceptOwnership()`. */
  readonly owner?: Account | undefined;
  /** Told of each step before it leaves and when it is done. */
  readonly onEvent?: ((event: DeployEvmEvent) => void) | undefined;
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
  /** The one account that finalizes stages; undefined where every member does. */
  readonly finalizer: Account | undefined;
  readonly owner: Account;
  /** Who must call `acceptOwnership()` to become the owner; undefined when ownership was not offered. */
  readonly pendingOwner: Account | undefined;
}

/**
 * Deploys the scoring contract of this package, adds members, names the finalizer, offers ownership, and reads all of it back.
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
  const heights = openHeights(rpc);
  const context = { rpc, chainId, account, heights, onEvent, inclusionTimeoutMs, signal };
  const [deploy, ...rest] = planDeployment(parameters, toAccount(account.address));
  if (deploy === undefined) throw new Error("a deployment has a first step");
  const { contract, sequence, hash, height, gasUsed } = await createContract(context, deploy);
  const { address } = contract.identity;
  const reader = { rpc, address };
  const version = await readShown(context, address, (at) => identifyContract(reader, at));
  if (version === undefined) throw notAsDeployed(address, "it has no version");
  for (const [index, step] of rest.entries()) {
    await runDeployStep({ ...context, contract }, step, { sequence: sequence + BigInt(index) + 1n });
  }
  const state = await readShown(context, address, (at) => readBack(reader, at, parameters));
  return { address, chainId, hash, height, gasUsed, version, ...state };
}

type CreateContext = Omit<DeployContext, "contract"> & { readonly heights: HeightFloor };

/**
 * Sends the creating transaction and waits for its block. The contract's address comes from the sequence, so a sequence that
 * the node refuses, because the one that named it was behind, gives it another address.
 */
async function createContract(context: CreateContext, deploy: DeployStep) {
  const { rpc, chainId, account, heights, signal } = context;
  const pending = [account.address, "pending"];
  let sequence = await rpc.read("eth_getTransactionCount", pending, (answer) => answer.quantity(), signal);
  for (let attempt = 1; ; attempt += 1) {
    const address = getContractAddress({ from: account.address, nonce: sequence });
    const contract = new EvmScoreContract({ rpc, address, chainId, version: undefined, account, heights });
    try {
      return { contract, sequence, ...(await runDeployStep({ ...context, contract }, deploy, { sequence })) };
    } catch (error) {
      const isTaken = error instanceof BroadcastError && error.refusal === "sequence";
      if (!isTaken || attempt === mostAttempts) throw error;
      sequence = await sequenceAfter(contract, sequence, { signal });
    }
  }
}

/**
 * Reads what a transaction in a block wrote, at the newest height, until the node that answers shows it.
 *
 * @throws NodeError `NODE_BEHIND` when none does.
 */
async function readShown<T>(
  { rpc, heights, signal }: CreateContext,
  address: Address,
  read: (options: PinnedOptions) => Promise<T>,
): Promise<T> {
  let missing: CheckError | undefined;
  const shown = await pollUntil<{ readonly value: T }>(
    async () => {
      try {
        return { value: await read(await heights.pin({ signal })) };
      } catch (error) {
        if (!(error instanceof CheckError)) throw error;
        missing = error;
        return undefined;
      }
    },
    { timeoutMs: patienceMs.behind, signal },
  );
  if (shown !== undefined) return shown.value;
  throw nodeBehind(rpc.endpoint, `it shows a block, but not what that block wrote to ${address}`, missing);
}

/** Reads what the chain holds, and compares it with what was asked for. */
async function readBack(
  reader: ContractReader,
  options: PinnedOptions,
  { account, initStage, members: wanted = [], finalizer: wantedFinalizer, owner: wantedOwner }: DeployEvmParameters,
): Promise<Pick<DeployedEvm, "initStage" | "members" | "finalizer" | "owner" | "pendingOwner">> {
  const [first, listed, control] = await Promise.all([
    callContract(reader, "initStage", [], options),
    callContract(reader, "allowListMembers", [], options),
    readControl(reader, { finalizer: true }, options),
  ]);
  const { owner, pendingOwner, finalizer } = control;
  const signer = toAccount(account.address);
  const members = listed.map(toAccount);
  const missing = [signer, ...wanted].filter((member) => !members.includes(member));
  if (first !== initStage) throw notAsDeployed(reader.address, `its first stage is ${first}, not ${initStage}`);
  if (missing.length > 0) throw notAsDeployed(reader.address, `it lacks the members ${missing.join(", ")}`);
  if (finalizer !== wantedFinalizer) {
    throw notAsDeployed(reader.address, `its finalizer is ${finalizer ?? "any member"}`);
  }
  if (owner !== signer) throw notAsDeployed(reader.address, `its owner is ${owner}`);
  if (pendingOwner !== (wantedOwner === signer ? undefined : wantedOwner)) {
    throw notAsDeployed(reader.address, `its ownership is offered to ${pendingOwner ?? "nobody"}`);
  }
  return { initStage, members, finalizer, owner, pendingOwner };
}

function notAsDeployed(address: Address, difference: string): CheckError {
  return new CheckError(`the contract at ${address} is not what was deployed: ${difference}`, {
    code: "CONTRACT_NOT_FOUND",
  });
}
