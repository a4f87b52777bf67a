import { VipError, type Account, type DeployedContract, type PinnedOptions } from "@vipscore/core";
import {
  completeDeployment,
  isStepDone,
  notAsDeployed,
  planRoles,
  requireDeployed,
  type DeployContext,
  type DesiredState,
} from "@vipscore/core/engine";
import type { CosmosAccount, CosmosMessage, Transport } from "@vipscore/cosmos";
import { stateOf } from "./connectWasm.ts";
import { findContract, type ContractReader } from "./contractReader.ts";
import { encodeCall } from "./encodeCall.ts";
import { fixedCallGas } from "./gasModel.ts";
import { identifyContract } from "./identifyContract.ts";
import { readOwnership } from "./vipScoreState.ts";
import { accountOfAddress } from "./wasmAddress.ts";
import type { WasmArtifact } from "./wasmArtifact.ts";

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

/** The context in which the steps of a deployment are sent. */
export interface WasmDeployContext extends DeployContext<CosmosMessage>, Pick<Transport, "simulate"> {
  readonly account: CosmosAccount;
}

/** A contract from which a deployment goes on. */
interface PresentContract extends Pick<WasmArtifact, "features"> {
  readonly height: bigint;
  /** True if the deployment just created or migrated it. */
  readonly isNew: boolean;
  /** The account that created it in this deployment, if any. */
  readonly creator: Account | undefined;
}

/** Sends what the contract's state lacks to reach the desired one, and reads the result back. */
export async function completeContract(
  reader: ContractReader,
  context: WasmDeployContext,
  desired: DesiredState,
  { height: from, isNew, creator, features }: PresentContract,
): Promise<Omit<DeployedWasm, "address" | "chainId" | "transaction">> {
  const { address } = reader;
  const { account, signal } = context;
  // Read at the height of a step's block: the read is retried until a lagging node has that block.
  const read = { height: from, signal };
  const contract = stateOf(reader, features);
  const initStage = await contract.getInitStage(read);
  if (initStage !== desired.initStage) {
    throw new VipError(`the contract at ${address} started at stage ${initStage}, not at ${desired.initStage}`, {
      code: "INIT_STAGE_SET",
      metaMessages: ["The first stage can be set only once. Pass the stage that it has, or deploy with another label."],
    });
  }
  const { finalizer, owner, pendingOwner } = features.roles ? await readOwnership(reader, read) : noRoles;
  const state = { initStage, members: (await contract.getMembers(read)) ?? [], finalizer, owner, pendingOwner };
  // Each writes a few bytes, as adding a member does.
  const steps = planRoles(desired, (call) => ({
    message: encodeCall({ signer: account.account, contract: address }, call),
    gas: fixedCallGas,
  }));
  // A contract that was just created already has its finalizer and its members.
  const remaining = steps.filter(
    (step) => !isNew || step.subject.step === "offerOwnership" || !isStepDone(step, state),
  );
  const height = (await completeDeployment(context, remaining, state)) ?? from;
  const deployed = await readBack(reader, { height, signal });
  requireDeployed(address, deployed, desired, { roles: deployed.features.roles, creator });
  return deployed;
}

const noRoles = { finalizer: undefined, owner: undefined, pendingOwner: undefined };

async function readBack(reader: ContractReader, options: PinnedOptions) {
  const [facts, info] = await Promise.all([identifyContract(reader, options), findContract(reader, options)]);
  if (info === undefined) throw notAsDeployed(reader.address, "the chain has no record of it");
  const state = stateOf(reader, facts.features);
  const [initStage, members = [], { owner, pendingOwner, finalizer }] = await Promise.all([
    state.getInitStage(options),
    state.getMembers(options),
    facts.features.roles ? readOwnership(reader, options) : noRoles,
  ]);
  const admin = accountOfAddress(info.admin);
  const { codeId, label } = info;
  return { codeId, label, admin, ...facts, initStage, members, finalizer, owner, pendingOwner };
}
