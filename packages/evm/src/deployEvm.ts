import { encodeDeployData, getContractAddress, numberToHex, type Address, type Hex } from "viem";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import {
  BroadcastError,
  isFailedCheck,
  stage as stageOf,
  VipError,
  type Account,
  type ContractFeatures,
  type DeployedContract,
  type DeployParameters,
  type PinnedOptions,
  type Stage,
  type WaitOptions,
} from "@vipscore/core";
import {
  completeDeployment,
  isStepDone,
  newestShown,
  openSender,
  planRoles,
  pollUntil,
  readRoles,
  reportUnchanged,
  requireDeployed,
  requireRoles,
  runDeployStep,
  sequenceAfter,
  type DeployedState,
  type DeployStep,
  type DesiredState,
  type Sender,
  type StepOutcome,
} from "@vipscore/core/engine";
import { nodeBehind, patienceMs, type JsonRpc, type MonotonicHeight } from "@vipscore/core/wire";
import { broadcast, lookUp } from "./broadcast.ts";
import { encodeCall } from "./encodeCall.ts";
import type { EvmAccount } from "./evmAccount.ts";
import { accountOfAddress } from "./evmAddress.ts";
import { isCodeOf, readEvmArtifact, vipScoreArtifact, type EvmArtifact } from "./evmArtifact.ts";
import { EvmSigner, type EvmMessage } from "./evmSigner.ts";
import { deployGas, otherCallGas } from "./gasModel.ts";
import { identifyContract } from "./identifyContract.ts";
import { checkChainId, openHeights, openRpc, type ReadEvmChainIdParameters } from "./openRpc.ts";
import { readContract, type ContractReader } from "./readContract.ts";
import { readControl, readMembers, readStageInfo } from "./vipScoreState.ts";

/** Most times the creating transaction is signed, each time with another sequence. */
const maxAttempts = 3;

/** A deployed contract, with its state as read back from the chain. */
export interface DeployedEvm extends DeployedContract {
  readonly address: Address;
  readonly chainId: bigint;
}

export type DeployEvmParameters = ReadEvmChainIdParameters &
  DeployParameters & {
    /** Pays for the deployment, and becomes the contract's owner and its first allow-list member. */
    readonly account: EvmAccount;
    /** The contract that the new one replaces; never mistaken for an interrupted deployment. */
    readonly replaces?: string | undefined;
  };

/**
 * Deploys the scoring contract of this package, or of an artifact, names the finalizer, adds members, offers ownership, and reads the result back.
 * If an earlier run of the same deployment was interrupted and the account has sent nothing else since, finds that run's
 * contract and sends only the remaining steps. A second run right after a complete deployment sends nothing.
 *
 * @throws InputError `FILE_UNREADABLE` or `INPUT_INVALID` for an artifact that cannot be deployed, and for a finalizer or
 * owner of a contract without roles; VipError `CHAIN_MISMATCH`; `CONTRACT_NOT_FOUND` when the chain does not hold what was deployed;
 * `PENDING_TRANSACTIONS` when earlier transactions of the account stay pending; ExecutionError `TRANSACTION_FAILED`;
 * BroadcastError; NodeError; the signal's reason when aborted.
 * @example
 * const { address } = await deployEvm({ rpcUrl, account, initStage: stage(1n) });
 */
export async function deployEvm(parameters: DeployEvmParameters): Promise<DeployedEvm> {
  const { account, initStage, signal, inclusionTimeoutMs, onEvent } = parameters;
  const { members, finalizer, owner } = readRoles(parameters, [20]);
  const artifact = parameters.artifact === undefined ? vipScoreArtifact : await readEvmArtifact(parameters.artifact);
  requireRoles(artifact.features, { finalizer, owner });
  const rpc = openRpc(parameters);
  const chainId = await checkChainId(rpc, parameters);
  const heights = openHeights(rpc);
  const signer = new EvmSigner(rpc, { chainId, account });
  const sender = openSender({
    heights,
    signer,
    send: (transaction, at) => broadcast(rpc, transaction, at),
    find: (hash, at) => lookUp(rpc, hash, at),
  });
  const context = { rpc, artifact, signer, sender, heights, onEvent, inclusionTimeoutMs, signal };
  const creator = accountOfAddress(account.address);
  const desired = { initStage, members: [creator, ...members], finalizer, owner };
  // All are encoded before the first is sent. The constructor makes the creator a member and the owner.
  const steps = planRoles(
    {
      members: members.filter((member) => member !== creator),
      finalizer,
      owner: owner === creator ? undefined : owner,
    },
    (call) => ({ message: encodeCall(call), gas: otherCallGas }),
  );
  const { address, created, state, sequence } = await startDeployment(context, { steps, desired }, parameters.replaces);
  const reader = { rpc, address };
  const { version, features } = await readShown(context, address, (at) => identifyContract(reader, at));
  const calls = steps.map(({ subject, message: data, gas }) => ({ subject, message: { to: address, data }, gas }));
  await completeDeployment<EvmMessage>({ ...context, address }, calls, state, sequence);
  const deployed = await readShown(context, address, async (at) => {
    const shown = await readState(reader, features, desired.members, at);
    requireDeployed(address, shown, desired, { roles: features.roles, creator });
    return shown;
  });
  const transaction = created && { hash: created.hash, height: created.height, gasUsed: created.gasUsed };
  return { address, chainId, transaction, version, features, ...deployed };
}

interface StartContext extends WaitOptions {
  readonly rpc: JsonRpc;
  readonly artifact: EvmArtifact;
  readonly signer: EvmSigner;
  readonly sender: Sender;
  readonly heights: MonotonicHeight;
  readonly onEvent: DeployEvmParameters["onEvent"];
}

/** A contract that exists, its state, and the account's next sequence. */
interface Started {
  readonly address: Address;
  /** The transaction that created it; undefined if an earlier run did. */
  readonly created: StepOutcome | undefined;
  /** The state in which an earlier run left it; undefined if it was just created. */
  readonly state: DeployedState | undefined;
  readonly sequence: bigint;
}

/**
 * Finds the contract of an interrupted deployment, or creates one and waits for its block. The contract's address depends
 * on the sequence: if the node refuses a sequence that a lagging node reported, the contract gets another address.
 */
async function startDeployment(
  context: StartContext,
  plan: { readonly steps: readonly DeployStep<Hex>[]; readonly desired: DesiredState },
  replaces: string | undefined,
): Promise<Started> {
  const { rpc, artifact, signer, sender, heights, signal } = context;
  const { address: from } = signer.account;
  const data = encodeDeployData({ abi: vipScoreAbi, bytecode: artifact.bytecode, args: [plan.desired.initStage] });
  const deploy = { subject: { step: "deploy" }, message: { data }, gas: deployGas(data) } as const;
  // What to send depends on the current state, so read the newest that any node behind the endpoint has.
  await newestShown(heights, { signal });
  for (let attempt = 1; ; attempt += 1) {
    const { sequence, height } = await readSettledSequence(context);
    const found = await findDeployment(rpc, from, { artifact, ...plan }, sequence, { height, signal });
    if (found !== undefined && found.address.toLowerCase() !== replaces?.toLowerCase()) {
      reportUnchanged({ ...context, address: found.address }, deploy.subject);
      return { ...found, created: undefined, sequence };
    }
    const address = getContractAddress({ from, nonce: sequence });
    try {
      const created = await runDeployStep<EvmMessage>({ ...context, address }, deploy, { sequence });
      return { address, created, state: undefined, sequence: sequence + 1n };
    } catch (error) {
      const isTaken = error instanceof BroadcastError && error.refusal === "sequence";
      if (!isTaken || attempt === maxAttempts) throw error;
      await sequenceAfter(sender, sequence, { signal });
    }
  }
}

/**
 * The account's next sequence, and the height that includes all of its transactions: an interrupted run may have left some
 * pending.
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
      const waiting = await signer.readSequence({ signal });
      const height = await heights.getHeight({ signal });
      const sequence = await countAt(numberToHex(height));
      return waiting > sequence ? undefined : { sequence, height };
    },
    { timeoutMs: inclusionTimeoutMs, signal },
  );
  if (settled !== undefined) return settled;
  throw new VipError(`transactions of ${address} are still pending`, {
    code: "PENDING_TRANSACTIONS",
    metaMessages: [`Waited ${Math.round(inclusionTimeoutMs / 1000)} s. Try again.`, "Nothing was sent."],
  });
}

/** Reads what an included transaction wrote, at the newest height, until the answering node has it. */
async function readShown<T>(
  { rpc, heights, signal }: StartContext,
  address: Address,
  read: (options: PinnedOptions) => Promise<T>,
): Promise<T> {
  let missing: VipError | undefined;
  const shown = await pollUntil<{ readonly value: T }>(
    async () => {
      try {
        return { value: await read(await heights.pin({ signal })) };
      } catch (error) {
        if (!isFailedCheck(error)) throw error;
        missing = error;
        return undefined;
      }
    },
    { timeoutMs: patienceMs.behind, signal },
  );
  if (shown !== undefined) return shown.value;
  throw nodeBehind(rpc.endpoint, `it has a block but not what that block wrote to ${address}`, missing);
}

/**
 * Finds the contract of the same deployment that an earlier run started. A contract's address is derived from its creator
 * and the creator's sequence, so no record is needed. The contract counts only if the account has since sent nothing but
 * this deployment's creation and completed steps, and nobody has written scores.
 *
 * @param sequence - The account's next sequence at the height, with no pending transactions.
 * @returns undefined if a new contract must be created.
 */
async function findDeployment(
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
async function readState(
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
