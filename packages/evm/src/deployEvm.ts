import { getContractAddress, numberToHex, type Address } from "viem";
import {
  BroadcastError,
  CheckError,
  type Account,
  type PinnedOptions,
  type Stage,
  type WaitOptions,
} from "@vipscore/core";
import {
  newestShown,
  noFeatures,
  pollUntil,
  reportUnchanged,
  requireRoles,
  sequenceAfter,
  type DesiredState,
  type StepOutcome,
} from "@vipscore/core/engine";
import { nodeBehind, patienceMs, type JsonRpc, type MonotonicHeight } from "@vipscore/core/wire";
import { readBack, type DeployedEvm } from "./deployedState.ts";
import { planDeployment, sendStep, type DeployContext, type DeployEvmEvent, type DeployStep } from "./deploySteps.ts";
import type { EvmAccount } from "./evmAccount.ts";
import { accountOfAddress } from "./evmAddress.ts";
import { readEvmArtifact, vipScoreArtifact, type EvmArtifact } from "./evmArtifact.ts";
import { EvmScoreContract } from "./evmScoreContract.ts";
import { EvmSigner } from "./evmSigner.ts";
import { findDeployment } from "./findDeployment.ts";
import { identifyContract } from "./identifyContract.ts";
import { openRpc } from "./openRpc.ts";
import { checkChainId, type ReadEvmChainIdParameters } from "./readEvmChainId.ts";
import { openHeights } from "./readHeight.ts";

/** Most times the creating transaction is signed, each time with another sequence. */
const maxAttempts = 3;

export type DeployEvmParameters = ReadEvmChainIdParameters & {
  /** Pays for the deployment, and becomes the contract's owner and its first allow-list member. */
  readonly account: EvmAccount;
  /** The first stage; it is created with the contract. */
  readonly initStage: Stage;
  /** Further allow-list members. */
  readonly members?: readonly Account[] | undefined;
  /** The only account that may finalize stages, member or not. Default: every member may. */
  readonly finalizer?: Account | undefined;
  /** The account to offer ownership to; it becomes the owner when it calls `acceptOwnership()`. Default: `account` stays owner. */
  readonly owner?: Account | undefined;
  /** The file of another scoring contract to deploy, as Hardhat or Foundry writes it. Default: this package's contract. */
  readonly artifact?: string | undefined;
  /** The contract that the new one replaces; never mistaken for an interrupted deployment. */
  readonly replaces?: string | undefined;
  /** Called before each step is sent and when it is done, or once for a step that an earlier run did. */
  readonly onEvent?: ((event: DeployEvmEvent) => void) | undefined;
} & Pick<WaitOptions, "inclusionTimeoutMs">;

/**
 * Deploys the scoring contract of this package, or of an artifact, names the finalizer, adds members, offers ownership, and reads the result back.
 * If an earlier run of the same deployment was interrupted and the account has sent nothing else since, finds that run's
 * contract and sends only the remaining steps. A second run right after a complete deployment sends nothing.
 *
 * @throws InputError `FILE_UNREADABLE` or `INPUT_INVALID` for an artifact that cannot be deployed, and for a finalizer or
 * owner of a contract without roles; CheckError `CHAIN_MISMATCH`; `CONTRACT_NOT_FOUND` when the chain does not hold what was deployed;
 * `PENDING_TRANSACTIONS` when earlier transactions of the account stay pending; ExecutionError `TRANSACTION_FAILED`;
 * BroadcastError; NodeError; the signal's reason when aborted.
 * @example
 * const { address } = await deployEvm({ rpcUrl, account, initStage: stage(1n) });
 */
export async function deployEvm(parameters: DeployEvmParameters): Promise<DeployedEvm> {
  const { account, initStage, members = [], finalizer, owner, signal, inclusionTimeoutMs, onEvent } = parameters;
  const artifact = parameters.artifact === undefined ? vipScoreArtifact : await readEvmArtifact(parameters.artifact);
  requireRoles(artifact.features, { finalizer, owner });
  const rpc = openRpc(parameters);
  const chainId = await checkChainId(rpc, parameters);
  const heights = openHeights(rpc);
  const signer = new EvmSigner(rpc, { chainId, account });
  const context = { rpc, chainId, artifact, signer, heights, onEvent, inclusionTimeoutMs, signal };
  const creator = accountOfAddress(account.address);
  const desired = { initStage, members, finalizer, owner };
  const { contract, created, left, sequence } = await startDeployment(context, desired, parameters.replaces);
  const { address } = contract.identity;
  const reader = { rpc, address };
  const { version, features } = await readShown(context, address, (at) => identifyContract(reader, at));
  for (const [index, step] of left.entries()) {
    await sendStep({ ...context, address, contract }, step, sequence + BigInt(index));
  }
  const state = await readShown(context, address, (at) => readBack(reader, { features, signer: creator, desired }, at));
  const transaction = created && { hash: created.hash, height: created.height, gasUsed: created.gasUsed };
  return { address, chainId, transaction, version, features, ...state };
}

type StartContext = Omit<DeployContext, "address" | "contract"> & {
  readonly rpc: JsonRpc;
  readonly chainId: bigint;
  readonly artifact: EvmArtifact;
  readonly heights: MonotonicHeight;
};

/** A contract that exists, the remaining steps of its deployment, and the account's next sequence. */
interface Started {
  readonly contract: EvmScoreContract;
  /** The transaction that created it; undefined if an earlier run did. */
  readonly created: StepOutcome | undefined;
  readonly left: readonly DeployStep[];
  readonly sequence: bigint;
}

/**
 * Finds the contract of an interrupted deployment, or creates one and waits for its block. The contract's address depends
 * on the sequence: if the node refuses a sequence that a lagging node reported, the contract gets another address.
 */
async function startDeployment(
  context: StartContext,
  desired: DesiredState,
  replaces: string | undefined,
): Promise<Started> {
  const { rpc, chainId, artifact, signer, heights, signal } = context;
  const { address: creator } = signer.account;
  const steps = planDeployment(artifact, desired, accountOfAddress(creator));
  const [deploy, ...rest] = steps;
  if (deploy === undefined) throw new Error("a deployment has a first step");
  const contractAt = (address: Address): EvmScoreContract =>
    new EvmScoreContract({
      rpc,
      address,
      chainId,
      version: undefined,
      features: noFeatures,
      isProxy: false,
      signer,
      heights,
    });
  // What to send depends on the current state, so read the newest that any node behind the endpoint has.
  await newestShown(heights, { signal });
  for (let attempt = 1; ; attempt += 1) {
    const { sequence, height } = await readSettledSequence(context);
    const found = await findDeployment(rpc, creator, { artifact, steps, desired }, sequence, { height, signal });
    if (found !== undefined && found.address.toLowerCase() !== replaces?.toLowerCase()) {
      const { address, left } = found;
      const contract = contractAt(address);
      const done = steps.filter((step) => !left.includes(step));
      for (const { subject } of done) reportUnchanged({ ...context, address, contract }, subject);
      return { contract, created: undefined, left, sequence };
    }
    const address = getContractAddress({ from: creator, nonce: sequence });
    const contract = contractAt(address);
    try {
      const created = await sendStep({ ...context, address, contract }, deploy, sequence);
      return { contract, created, left: rest, sequence: sequence + 1n };
    } catch (error) {
      const isTaken = error instanceof BroadcastError && error.refusal === "sequence";
      if (!isTaken || attempt === maxAttempts) throw error;
      await sequenceAfter(contract, sequence, { signal });
    }
  }
}

/**
 * The account's next sequence, and the height that includes all of its transactions: an interrupted run may have left some
 * pending.
 *
 * @throws CheckError `PENDING_TRANSACTIONS` when they stay pending.
 */
async function readSettledSequence({
  rpc,
  signer,
  heights,
  inclusionTimeoutMs = patienceMs.inclusion,
  signal,
}: StartContext) {
  const { address } = signer.account;
  const countAt = (block: string): Promise<bigint> =>
    rpc.read("eth_getTransactionCount", [address, block], (answer) => answer.quantity(), signal);
  const settled = await pollUntil(
    async () => {
      const waiting = await signer.readSequence(signal);
      const height = await heights.getHeight({ signal });
      const sequence = await countAt(numberToHex(height));
      return waiting > sequence ? undefined : { sequence, height };
    },
    { timeoutMs: inclusionTimeoutMs, signal },
  );
  if (settled !== undefined) return settled;
  throw new CheckError(`transactions of ${address} are still pending`, {
    code: "PENDING_TRANSACTIONS",
    metaMessages: [`Waited ${Math.round(inclusionTimeoutMs / 1000)} s. Try again.`, "Nothing was sent."],
  });
}

/**
 * Reads what an included transaction wrote, at the newest height, until the answering node has it.
 *
 * @throws NodeError `NODE_BEHIND` when no node does.
 */
async function readShown<T>(
  { rpc, heights, signal }: StartContext,
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
  throw nodeBehind(rpc.endpoint, `it has a block but not what that block wrote to ${address}`, missing);
}
