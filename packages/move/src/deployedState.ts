import {
  CheckError,
  stage as stageOf,
  type Account,
  type DeployedContract,
  type ReadOptions,
  type Stage,
} from "@vipscore/core";
import { reportUnchanged, runDeployStep, type DesiredState } from "@vipscore/core/engine";
import { encodeAddress, encodeAddressOption, encodeU64 } from "./bcs.ts";
import type { DeployContext, StepSubject } from "./deploySteps.ts";
import { executeMessage } from "./encodeCall.ts";
import { smallCallGas } from "./gasModel.ts";
import { identifyContract } from "./identifyContract.ts";
import { findExtension, readExtension } from "./moduleExtension.ts";
import { readModuleStore, type ModuleReader, type ModuleStore } from "./moduleStore.ts";
import { findPublishedModule, type UpgradePolicy } from "./publishedModule.ts";

/** A deployed module, with its state as read back from the chain. */
export interface DeployedMove extends DeployedContract {
  /** The module's address (its publisher's). */
  readonly address: Account;
  readonly chainId: string;
  readonly upgradePolicy: UpgradePolicy;
}

/**
 * Sends what the module's state lacks to reach the requested one. Returns the height of the deployment's last block.
 *
 * @param from - The height of the state to start from.
 */
export async function completeState(
  reader: ModuleReader,
  context: DeployContext,
  { initStage, members, finalizer, owner, hasRoles }: DesiredState & { readonly hasRoles: boolean },
  from: { readonly height: bigint },
): Promise<bigint> {
  const { address } = reader;
  const { signal } = context;
  let { height } = from;
  // Read at the height of a step's block: the read is retried until a lagging node has that block.
  const read = { height, signal };
  const store = await readModuleStore(reader, read);
  refuseOtherInitStage(store, address, initStage);
  const target = { signer: context.signer.account.account, module: address };
  const complete = async (isThere: boolean, subject: StepSubject, name: string, ...args: Buffer[]): Promise<void> => {
    if (isThere) return reportUnchanged(context, subject);
    const message = executeMessage(target, name, args);
    ({ height } = await runDeployStep(context, { subject, message, gas: smallCallGas }));
  };
  const addMember = (member: Account): Promise<void> => {
    const subject: StepSubject = { step: "addMember", account: member };
    return complete(store.deployers.includes(member), subject, "add_deployer_script", encodeAddress(member));
  };

  if (hasRoles && !(await findExtension(reader, read))) {
    await complete(false, { step: "completeUpgrade" }, "complete_upgrade_script");
  }
  const roles = hasRoles ? await readExtension(reader, { height, signal }) : undefined;
  // Before anybody is a member: otherwise every member could finalize until then.
  if (finalizer !== undefined) {
    const naming: StepSubject = { step: "setFinalizer", account: finalizer };
    await complete(roles?.finalizer === finalizer, naming, "set_finalizer_script", encodeAddressOption(finalizer));
  }
  // Only a member can set the first stage.
  await addMember(address);
  const first: StepSubject = { step: "setInitStage", stage: initStage };
  await complete(store.initStage === initStage, first, "set_init_stage", encodeU64(initStage));
  for (const member of new Set(members)) if (member !== address) await addMember(member);
  if (owner === undefined) return height;
  const offer: StepSubject = { step: "offerOwnership", account: owner };
  await complete(
    owner === (roles?.pendingOwner ?? roles?.owner),
    offer,
    "transfer_ownership_script",
    encodeAddress(owner),
  );
  return height;
}

function refuseOtherInitStage(store: ModuleStore, address: Account, initStage: Stage): void {
  if (store.initStage === 0n || store.initStage === initStage) return;
  throw new CheckError(`the contract at ${address} started at stage ${store.initStage}, not at ${initStage}`, {
    code: "INIT_STAGE_SET",
    metaMessages: ["The first stage can be set only once. Pass the stage that it has, or deploy with another account."],
  });
}

/** Reads the module's current state. */
export async function readBack(
  reader: ModuleReader,
  options: ReadOptions,
): Promise<Omit<DeployedMove, "chainId" | "transaction">> {
  const { address } = reader;
  const [{ version, features }, module, store] = await Promise.all([
    identifyContract(reader, options),
    findPublishedModule(reader, options),
    readModuleStore(reader, options),
  ]);
  if (module?.isScoring !== true) {
    throw new CheckError(`the module at ${address} is not what was deployed`, { code: "CONTRACT_NOT_FOUND" });
  }
  const { upgradePolicy } = module;
  const initStage = stageOf(store.initStage);
  const members = store.deployers;
  const roles = features.roles ? await readExtension(reader, options) : undefined;
  const { owner, pendingOwner, finalizer } = roles ?? {};
  return { address, version, features, upgradePolicy, initStage, members, finalizer, owner, pendingOwner };
}
