import {
  stage as stageOf,
  VipError,
  type Account,
  type DeployedContract,
  type DeployParameters,
  type PinnedOptions,
} from "@vipscore/core";
import {
  completeDeployment,
  newestShown,
  notAsDeployed,
  planRoles,
  readRoles,
  reportUnchanged,
  requireDeployed,
  requireReplacer,
  requireRoles,
  runDeployStep,
  type DeployContext,
  type DeployStep,
  type DesiredState,
  type StepOutcome,
} from "@vipscore/core/engine";
import type { CosmosMessage } from "@vipscore/cosmos";
import { encodeU64 } from "./bcs.ts";
import { encodeCall, executeMessage } from "./encodeCall.ts";
import { smallCallGas } from "./gasModel.ts";
import { identifyContract } from "./identifyContract.ts";
import {
  findExtension,
  findPublishedModule,
  moduleName,
  readExtension,
  readModuleStore,
  type ModuleReader,
  type PublishedModule,
  type UpgradePolicy,
} from "./moduleStore.ts";
import { moveAccountBytes } from "./moveAddress.ts";
import { readMoveArtifact, vipScoreArtifact, type MoveArtifact } from "./moveArtifact.ts";
import { openPublisher, publishStep, type PublisherParameters } from "./publishModules.ts";

/** A deployed module, with its state as read back from the chain. */
export interface DeployedMove extends DeployedContract {
  /** The module's address (its publisher's). */
  readonly address: Account;
  readonly chainId: string;
  readonly upgradePolicy: UpgradePolicy;
}

/** The account also becomes the contract's owner and its first member; `owner` requires `upgradePolicy`. */
export interface DeployMoveParameters extends PublisherParameters, DeployParameters {
  /** Replace another scoring module that the account has published; its stages, scores and members are kept. */
  readonly upgrade?: boolean | undefined;
}

/**
 * Publishes the scoring module of this package, or of an artifact, completes an upgrade, names the finalizer, adds its publisher and others as
 * members, sets the first stage, offers ownership, and reads the result back. Skips what the chain already has, so a second
 * run sends only the remaining steps.
 *
 * @throws InputError `FILE_UNREADABLE` or `INPUT_INVALID` for an artifact that cannot be published, for a finalizer or
 * owner of a module without roles, and for an `owner` without an `upgradePolicy`; VipError `CHAIN_MISMATCH`;
 * `CONTRACT_NOT_FOUND` if another module has the name, or the chain does not have what was deployed; `CONFIRMATION_MISSING` if another scoring module exists and `upgrade` is not set;
 * `PERMISSION_DENIED` if that module is immutable; `INIT_STAGE_SET` if the contract started at another stage;
 * ExecutionError; BroadcastError; NodeError; the signal's reason when aborted.
 * @example
 * const { address } = await deployMove({ rpcUrl, account: moveAccount({ mnemonic }), initStage: stage(1n) });
 */
export async function deployMove(parameters: DeployMoveParameters): Promise<DeployedMove> {
  const { account, signal, onEvent, upgradePolicy = "compatible", upgrade = false } = parameters;
  const { artifact: path, initStage } = parameters;
  const { members, finalizer, owner } = readRoles(parameters, moveAccountBytes);
  requireReplacer(account.account, owner, {
    name: "upgradePolicy",
    value: parameters.upgradePolicy,
    hint: {
      code: "name-policy",
      text: "Also say whether the deployer may: upgradePolicy compatible, or immutable for permanently nobody.",
    },
  });
  const { account: address, address: sender } = account;
  const artifact = path === undefined ? vipScoreArtifact(address) : await readMoveArtifact(path, address);
  requireRoles(artifact.features, { finalizer, owner });
  const { rest, chainId, heights, context: publisher } = await openPublisher(parameters, path);
  const reader = { rest, address };
  const context = { ...publisher, onEvent };

  // What to send depends on the current state, so read the newest that any node behind the endpoint has.
  const found = { height: await newestShown(heights, { signal }), signal };
  const present = await findPublishedModule(reader, found);
  const others = await Promise.all(artifact.others.map(({ name }) => findPublishedModule(reader, found, name)));
  const desiredModule = { address, sender, artifact, upgradePolicy, upgrade };
  const codes = others.map((module) => module?.code);
  const step = planPublish(desiredModule, present, codes);
  let published: StepOutcome | undefined;
  if (step === undefined) {
    const { upgradePolicy: policy } = present ?? { upgradePolicy };
    reportUnchanged(context, { step: "publish", upgradePolicy: policy });
  } else published = await runDeployStep(context, step);
  const desired = { initStage, members: [address, ...members], finalizer, owner };
  const from = { height: published?.height ?? found.height, signal };
  const height = await completeModule(reader, context, desired, { hasRoles: artifact.features.roles, from });
  const state = await readBack(reader, { height, signal });
  const { roles } = state.features;
  requireDeployed(address, state, desired, { roles, creator: present === undefined ? address : undefined });
  const transaction = published && { hash: published.hash, height: published.height, gasUsed: published.gasUsed };
  return { ...state, address, chainId, transaction };
}

/** Sends what the module's state lacks to reach the desired one. Returns the height of the deployment's last block. */
async function completeModule(
  reader: ModuleReader,
  context: DeployContext<CosmosMessage>,
  { initStage, members, finalizer, owner }: DesiredState,
  { hasRoles, from }: { readonly hasRoles: boolean; readonly from: PinnedOptions },
): Promise<bigint> {
  const { address } = reader;
  // Read at the height of a step's block: the read is retried until a lagging node has that block.
  const store = await readModuleStore(reader, from);
  if (store.initStage !== 0n && store.initStage !== initStage) {
    throw new VipError(`the contract at ${address} started at stage ${store.initStage}, not at ${initStage}`, {
      code: "INIT_STAGE_SET",
      metaMessages: [
        "The first stage can be set only once. Pass the stage that it has, or deploy with another account.",
      ],
    });
  }
  const target = { signer: address, module: address };
  const complete: DeployStep<CosmosMessage> = {
    subject: { step: "completeUpgrade" },
    message: executeMessage(target, "complete_upgrade_script", []),
    gas: smallCallGas,
  };
  const upgraded =
    hasRoles && !(await findExtension(reader, from)) ? await runDeployStep(context, complete) : undefined;
  const height = upgraded?.height ?? from.height;
  const roles = hasRoles ? await readExtension(reader, { height, signal: from.signal }) : undefined;
  const plan = (part: Partial<DesiredState>) =>
    planRoles({ members: [], finalizer: undefined, owner: undefined, ...part }, (call) => ({
      message: encodeCall({ ...target, hasRoles }, call),
      gas: smallCallGas,
    }));
  const setInitStage: DeployStep<CosmosMessage> = {
    subject: { step: "setInitStage", stage: initStage },
    message: executeMessage(target, "set_init_stage", [encodeU64(initStage)]),
    gas: smallCallGas,
  };
  // The finalizer before anybody is a member: otherwise every member could finalize until then. Only a member can set the
  // first stage.
  const steps = [
    ...plan({ finalizer, members: [address] }),
    setInitStage,
    ...plan({ members: members.filter((member) => member !== address), owner }),
  ];
  const { owner: present, pendingOwner, finalizer: named } = roles ?? {};
  const state = { ...store, members: store.deployers, finalizer: named, owner: present, pendingOwner };
  return (await completeDeployment(context, steps, state)) ?? height;
}

async function readBack(reader: ModuleReader, options: PinnedOptions) {
  const { address } = reader;
  const [{ version, features }, module, store] = await Promise.all([
    identifyContract(reader, options),
    findPublishedModule(reader, options),
    readModuleStore(reader, options),
  ]);
  if (module?.isScoring !== true) throw notAsDeployed(address, "it is not a scoring module");
  const { owner, pendingOwner, finalizer } = features.roles ? await readExtension(reader, options) : {};
  return {
    version,
    features,
    upgradePolicy: module.upgradePolicy,
    initStage: stageOf(store.initStage),
    members: store.deployers,
    finalizer,
    owner,
    pendingOwner,
  };
}

/** The state that publishing must reach, and whether it may replace an existing module. */
interface DesiredModule {
  /** The publisher's account, and its bech32 form. */
  readonly address: Account;
  readonly sender: string;
  readonly artifact: MoveArtifact;
  readonly upgradePolicy: UpgradePolicy;
  /** Replace another scoring module at the address. */
  readonly upgrade: boolean;
}

/** Plans the step that brings an address from its current modules to the artifact's; undefined if it already has them. */
function planPublish(
  desired: DesiredModule,
  present: PublishedModule | undefined,
  others: readonly (Buffer | undefined)[],
): DeployStep<CosmosMessage> | undefined {
  const { address, artifact, upgradePolicy } = desired;
  if (present === undefined) return publish(desired, "publish");
  const isSame = artifact.others.every(({ code }, index) => others[index]?.equals(code) === true);
  if (isSame && present.code.equals(artifact.code)) {
    // An immutable module cannot be changed.
    const isSealed = present.upgradePolicy === "immutable";
    return isSealed || upgradePolicy === "compatible" ? undefined : publish(desired, "seal");
  }
  if (!present.isScoring) {
    throw new VipError(`${address} has a module ${moduleName} that is not a scoring module`, {
      code: "CONTRACT_NOT_FOUND",
      metaMessages: ["Deploy with another account: the module's address is its publisher's. Nothing was sent."],
    });
  }
  if (present.upgradePolicy === "immutable") {
    throw new VipError(`${address} has another scoring module, and it is immutable`, {
      code: "PERMISSION_DENIED",
      metaMessages: ["Nobody can replace it. Use it as it is, or deploy with another account. Nothing was sent."],
    });
  }
  if (!desired.upgrade) {
    throw new VipError(`${address} already has another scoring module`, {
      code: "CONFIRMATION_MISSING",
      metaMessages: [
        { code: "upgrade", text: "Ask for an upgrade to replace it." },
        "Its stages, scores and members stay. Nothing was sent.",
      ],
    });
  }
  return publish(desired, "upgrade");
}

function publish(
  { sender, artifact, upgradePolicy }: DesiredModule,
  step: "publish" | "upgrade" | "seal",
): DeployStep<CosmosMessage> {
  const codes = [...artifact.others.map(({ code }) => code), artifact.code];
  return publishStep(sender, codes, { step, upgradePolicy });
}
