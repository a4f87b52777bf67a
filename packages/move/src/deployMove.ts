import {
  CheckError,
  stage as stageOf,
  type Account,
  type Included,
  type ReadOptions,
  type Stage,
  type WaitOptions,
} from "@vipscore/core";
import { newestShown } from "@vipscore/core/engine";
import { encodeAddress, encodeAddressOption, encodeU64 } from "./bcs.ts";
import {
  runDeployStep,
  tellUnchanged,
  type DeployContext,
  type DeployMoveEvent,
  type StepSubject,
} from "./deploySteps.ts";
import { executeMessage } from "./encodeCall.ts";
import { callGas } from "./gasModel.ts";
import { parseGasPrice } from "@vipscore/core/cosmos";
import { identifyModule } from "./identifyModule.ts";
import { findSettings } from "./moduleSettings.ts";
import { readModuleStore, type ModuleReader, type ModuleStore } from "./moduleStore.ts";
import type { MoveAccount } from "./moveAccount.ts";
import { MoveScoreContract } from "./moveScoreContract.ts";
import { findPublishedModule, type UpgradePolicy } from "./publishedModule.ts";
import { planPublish } from "./publishStep.ts";
import { readOwnership } from "./readControl.ts";
import { checkChainId, type ReadMoveChainIdParameters } from "./readMoveChainId.ts";
import { openRest } from "@vipscore/core/wire";
import { openSigner } from "./openSigner.ts";
import { openHeights } from "./readHeight.ts";

export interface DeployMoveParameters extends ReadMoveChainIdParameters, Pick<WaitOptions, "inclusionTimeoutMs"> {
  /** Pays and publishes: the module's address is its. It becomes the contract's owner and its first member. */
  readonly account: MoveAccount;
  /** The first stage; it is created by the deployment. */
  readonly initStage: Stage;
  /** Further accounts that may write scores. */
  readonly members?: readonly Account[] | undefined;
  /** The one account that alone finalizes stages, member or not; default: as it is, at first every member. */
  readonly finalizer?: Account | undefined;
  /** Who shall own the contract instead of `account`. It is offered to it, and moves when it accepts. */
  readonly owner?: Account | undefined;
  /** What a later publish may change; `compatible` when absent: functions may be added, stored data stays readable. */
  readonly upgradePolicy?: UpgradePolicy | undefined;
  /** Replace another scoring module that the account has published; its stages, scores and members stay. */
  readonly upgrade?: boolean | undefined;
  /** The gas price to pay, e.g. `0.015umin`; without it the chain is asked for the least that it takes. */
  readonly gasPrices?: string | undefined;
  /** Told of each step before it leaves and when it is done, or that nothing is to do. */
  readonly onEvent?: ((event: DeployMoveEvent) => void) | undefined;
}

/** A deployed module, its state read back from the chain. */
export interface DeployedMove {
  /** The module's address, its publisher's. */
  readonly address: Account;
  readonly chainId: string;
  /** The transaction that published; undefined where the module was there already. */
  readonly transaction: { readonly hash: string; readonly height: bigint; readonly gasUsed: bigint } | undefined;
  /** The contract's own version. */
  readonly version: string;
  readonly upgradePolicy: UpgradePolicy;
  readonly initStage: Stage;
  readonly members: readonly Account[];
  /** The one account that finalizes stages; undefined where every member does. */
  readonly finalizer: Account | undefined;
  readonly owner: Account;
  /** Who must call `accept_ownership_script` to become the owner; undefined when ownership was not offered. */
  readonly pendingOwner: Account | undefined;
}

/**
 * Publishes the scoring module of this package, has it keep revisions after an upgrade, makes its publisher and others
 * members, sets the first stage, names the finalizer, offers ownership, and reads all of it back. What the chain has already is left as it is, so a second run does only what a
 * first one left undone.
 *
 * @throws CheckError `CHAIN_MISMATCH`; `CONTRACT_NOT_FOUND` where another module has the name, or the chain does not hold
 * what was deployed; `CONFIRMATION_MISSING` where another scoring module is there and no upgrade was asked for;
 * `PERMISSION_DENIED` where it is immutable; `INIT_STAGE_SET` where the contract started at another stage; ExecutionError;
 * BroadcastError; NodeError; the signal's reason when aborted.
 * @example
 * const { address } = await deployMove({ restUrl, account: moveAccount({ mnemonic }), initStage: stage(1n) });
 */
export async function deployMove(parameters: DeployMoveParameters): Promise<DeployedMove> {
  const { account, signal, inclusionTimeoutMs, onEvent, upgradePolicy = "compatible", upgrade = false } = parameters;
  const gasPrice = parameters.gasPrices === undefined ? undefined : parseGasPrice(parameters.gasPrices);
  const rest = openRest(parameters.restUrl);
  const chainId = await checkChainId(rest, parameters);
  const reader = { rest, address: account.account };
  const signer = openSigner(rest, { chainId, account, gasPrice });
  const heights = openHeights(rest);
  const contract = new MoveScoreContract({ ...reader, chainId, version: undefined, signer, heights });
  const { address } = reader;
  const context: DeployContext = { address, signer, contract, onEvent, inclusionTimeoutMs, signal };

  // What is there decides what is sent, so it has to be the newest state that any node of the endpoint shows.
  const found = { height: await newestShown(heights, { signal }), signal };
  const present = await findPublishedModule(reader, found);
  const wish = { address, sender: account.address, upgradePolicy, upgrade };
  const step = planPublish(wish, present);
  let published: (Included & { readonly hash: string }) | undefined;
  if (step === undefined) {
    const { upgradePolicy: policy } = present ?? { upgradePolicy };
    tellUnchanged(context, { step: "publish", upgradePolicy: policy });
  } else published = await runDeployStep(context, step);
  const height = await completeState(reader, context, parameters, published?.height ?? found.height);
  const state = await readBack(reader, { height, signal });
  const transaction = published && { hash: published.hash, height: published.height, gasUsed: published.gasUsed };
  return { ...state, chainId, transaction };
}

/** Sends what the module's state lacks of what is wished for. Gives the height of the last block of the deployment. */
async function completeState(
  reader: ModuleReader,
  context: DeployContext,
  { account, initStage, members = [], finalizer, owner, signal }: DeployMoveParameters,
  publishedAt: bigint,
): Promise<bigint> {
  const { address } = reader;
  let height = publishedAt;
  // At the height of a step's block: a node that is behind does not have it yet, and is waited for.
  const read = { height, signal };
  const store = await readModuleStore(reader, read);
  refuseOtherInitStage(store, address, initStage);
  const complete = async (isThere: boolean, subject: StepSubject, name: string, ...args: Buffer[]): Promise<void> => {
    if (isThere) return tellUnchanged(context, subject);
    const message = executeMessage(account.address, address, name, args);
    // Each writes a few bytes, as adding a member does.
    ({ height } = await runDeployStep(context, { subject, message, gas: callGas.addMember }));
  };
  const addMember = (member: Account): Promise<void> => {
    const subject: StepSubject = { step: "addMember", account: member };
    return complete(store.deployers.includes(member), subject, "add_deployer_script", encodeAddress(member));
  };

  const settings = await findSettings(reader, read);
  if (settings === undefined) await complete(false, { step: "createSettings" }, "create_settings_script");
  // Only a member can set the first stage.
  await addMember(address);
  const first: StepSubject = { step: "setInitStage", stage: initStage };
  await complete(store.initStage === initStage, first, "set_init_stage", encodeU64(initStage));
  for (const member of new Set(members)) if (member !== address) await addMember(member);
  if (finalizer !== undefined) {
    const named: StepSubject = { step: "setFinalizer", account: finalizer };
    const isNamed = settings?.finalizer === finalizer;
    await complete(isNamed, named, "set_finalizer_script", encodeAddressOption(finalizer));
  }
  if (owner === undefined) return height;
  const { owner: current, pendingOwner } = await readOwnership(reader, read);
  const offer: StepSubject = { step: "offerOwnership", account: owner };
  await complete(owner === (pendingOwner ?? current), offer, "transfer_ownership_script", encodeAddress(owner));
  return height;
}

function refuseOtherInitStage(store: ModuleStore, address: Account, initStage: Stage): void {
  if (store.initStage === 0n || store.initStage === initStage) return;
  throw new CheckError(`the contract at ${address} started at stage ${store.initStage}, not at ${initStage}`, {
    code: "INIT_STAGE_SET",
    metaMessages: ["The first stage is set once. Ask for the stage that it has, or deploy with another account."],
  });
}

/** Reads what the chain holds now. */
async function readBack(
  reader: ModuleReader,
  options: ReadOptions,
): Promise<Omit<DeployedMove, "chainId" | "transaction">> {
  const { address } = reader;
  const [{ version }, module, store, ownership, settings] = await Promise.all([
    identifyModule(reader, options),
    findPublishedModule(reader, options),
    readModuleStore(reader, options),
    readOwnership(reader, options),
    findSettings(reader, options),
  ]);
  if (version === undefined || module === undefined) {
    throw new CheckError(`the chain does not hold at ${address} what was deployed`, { code: "CONTRACT_NOT_FOUND" });
  }
  const { upgradePolicy } = module;
  const initStage = stageOf(store.initStage);
  const { finalizer } = settings ?? {};
  return { address, version, upgradePolicy, initStage, members: store.deployers, finalizer, ...ownership };
}
