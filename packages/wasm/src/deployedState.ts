import {
  CheckError,
  type Account,
  type ContractFeatures,
  type DeployedContract,
  type ReadOptions,
} from "@vipscore/core";
import {
  reportUnchanged,
  runDeployStep,
  type DeployContextOf,
  type DeployStepOf,
  type DesiredState,
  type StepProgress,
} from "@vipscore/core/engine";
import type { CosmosMessage, TransactionSigner } from "@vipscore/cosmos";
import { findContract, type ContractReader } from "./contractReader.ts";
import { executeMessage } from "./encodeCall.ts";
import { fixedCallGas } from "./gasModel.ts";
import { identifyContract } from "./identifyContract.ts";
import { readOwnership } from "./readControl.ts";
import { stateOf } from "./stateOf.ts";
import type { ExecuteMsg } from "./vipScoreTypes.generated.ts";
import { accountOfAddress, addressOf } from "./wasmAddress.ts";

/** A deployed contract, with its state as read back from the chain. */
export interface DeployedWasm extends DeployedContract {
  /** The contract's address in bech32. */
  readonly address: string;
  readonly chainId: string;
  /** The id of the code on the chain. */
  readonly codeId: bigint;
  readonly label: string;
  /** Who may migrate the contract; undefined for nobody. */
  readonly admin: Account | undefined;
}

/**
 * Sends what the contract's state lacks to reach the requested one. Returns the height of the deployment's last block.
 *
 * @param from - The height of the state to start from, and whether the contract was just created or migrated, and what it can do.
 */
export async function completeState(
  reader: ContractReader,
  context: DeployContext,
  { initStage, members, finalizer, owner }: DesiredState,
  from: { readonly height: bigint; readonly isNew: boolean; readonly features: ContractFeatures },
): Promise<bigint> {
  const { address } = reader;
  const { signal } = context;
  const { features } = from;
  let { height } = from;
  // Read at the height of a step's block: the read is retried until a lagging node has that block.
  const read = { height, signal };
  const state = stateOf(reader, features);
  const first = await state.getInitStage(read);
  if (first !== initStage) {
    throw new CheckError(`the contract at ${address} started at stage ${first}, not at ${initStage}`, {
      code: "INIT_STAGE_SET",
      metaMessages: ["The first stage can be set only once. Pass the stage that it has, or deploy with another label."],
    });
  }
  const target = { signer: context.signer.account.account, contract: address };
  const complete = async (isThere: boolean, subject: StepSubject, message: ExecuteMsg): Promise<void> => {
    if (isThere) return reportUnchanged(context, subject);
    // Each writes a few bytes, as adding a member does.
    const step = { subject, message: executeMessage(target, message), gas: fixedCallGas };
    ({ height } = await runDeployStep(context, step));
  };

  // Before the members, so that none of them can ever finalize.
  const roles = features.roles ? await readOwnership(reader, read) : undefined;
  const named = roles?.finalizer;
  if (finalizer !== undefined && !(from.isNew && named === finalizer)) {
    const subject: StepSubject = { step: "setFinalizer", account: finalizer };
    await complete(named === finalizer, subject, { set_finalizer: { finalizer: addressOf(finalizer) } });
  }
  const listed = new Set(await state.getMembers(read));
  for (const member of new Set(members)) {
    // A contract that was just created already has its members.
    if (from.isNew && listed.has(member)) continue;
    const subject: StepSubject = { step: "addMember", account: member };
    await complete(listed.has(member), subject, { add_allow_list: { addr: addressOf(member) } });
  }
  if (owner === undefined) return height;
  const offer: StepSubject = { step: "offerOwnership", account: owner };
  await complete(owner === (roles?.pendingOwner ?? roles?.owner), offer, {
    transfer_ownership: { new_owner: addressOf(owner) },
  });
  return height;
}

/** Reads the contract's current state. */
export async function readBack(
  reader: ContractReader,
  options: ReadOptions,
): Promise<Omit<DeployedWasm, "address" | "chainId" | "transaction">> {
  const [facts, info] = await Promise.all([identifyContract(reader, options), findContract(reader, options)]);
  if (info === undefined) throw notAsDeployed(reader.address, "the chain has no record of it");
  const state = stateOf(reader, facts.features);
  const [initStage, members, ownership] = await Promise.all([
    state.getInitStage(options),
    state.getMembers(options),
    facts.features.roles ? readOwnership(reader, options) : undefined,
  ]);
  const { owner, pendingOwner, finalizer } = ownership ?? {};
  const admin = accountOfAddress(info.admin);
  const { codeId, label } = info;
  return { codeId, label, admin, ...facts, initStage, members, finalizer, owner, pendingOwner };
}

export function notAsDeployed(address: string, difference: string): CheckError {
  return new CheckError(`the contract at ${address} is not what was deployed: ${difference}`, {
    code: "CONTRACT_NOT_FOUND",
  });
}

/** A step of a deployment. */
export interface DeployWasmEvent extends StepProgress {
  readonly step: "store" | "instantiate" | "migrate" | "addMember" | "setFinalizer" | "offerOwnership";
  /** The contract's address in bech32, which account, code and label determine before it exists. */
  readonly address: string;
  /** The id of the code on the chain, once known. */
  readonly codeId?: bigint;
  /** The added member, the finalizer, or the account that ownership is offered to. */
  readonly account?: Account;
}

/** Subject that a step applies to. */
export type StepSubject = Pick<DeployWasmEvent, "step" | "account" | "codeId">;

/** One transaction of a deployment. */
export type DeployStep = DeployStepOf<StepSubject, CosmosMessage>;

/** The contract, signer and options with which the steps of a deployment are sent. */
export type DeployContext = DeployContextOf<string, StepSubject, TransactionSigner>;
