import type { Account, Stage, WaitOptions } from "@vipscore/core";
import {
  newestShown,
  noFeatures,
  reportUnchanged,
  requireRoles,
  runDeployStep,
  type StepOutcome,
} from "@vipscore/core/engine";
import { openRest } from "@vipscore/core/wire";
import { parseGasPrice, type CosmosAccount } from "@vipscore/cosmos";
import { checkChainId, openHeights, type ReadMoveChainIdParameters } from "./chainFacts.ts";
import { completeState, readBack, type DeployedMove } from "./deployedState.ts";
import type { DeployContext, DeployMoveEvent } from "./deploySteps.ts";
import { readMoveArtifact, vipScoreArtifact } from "./moveArtifact.ts";
import { MoveScoreContract } from "./moveScoreContract.ts";
import { moveSigner } from "./moveSigner.ts";
import { findPublishedModule, type UpgradePolicy } from "./publishedModule.ts";
import { planPublish } from "./publishStep.ts";

export interface DeployMoveParameters extends ReadMoveChainIdParameters, Pick<WaitOptions, "inclusionTimeoutMs"> {
  /** Pays and publishes: the module gets its address. Becomes the contract's owner and its first member. */
  readonly account: CosmosAccount;
  /** The first stage; the deployment creates it. */
  readonly initStage: Stage;
  /** Further accounts that may write scores. */
  readonly members?: readonly Account[] | undefined;
  /** The only account that may finalize stages, member or not. Default: unchanged; at first every member may. */
  readonly finalizer?: Account | undefined;
  /** The account to offer ownership to; it becomes the owner when it accepts. Default: `account` stays owner. */
  readonly owner?: Account | undefined;
  /**
   * Another scoring module to publish, compiled for the account's address: a `.mv` file, a folder of them, or the folder of a
   * Move package that was built. Default: this package's module.
   */
  readonly artifact?: string | undefined;
  /** Changes that a later publish may make. Default: `compatible`: it may add functions, and stored data stays readable. */
  readonly upgradePolicy?: UpgradePolicy | undefined;
  /** Replace another scoring module that the account has published; its stages, scores and members are kept. */
  readonly upgrade?: boolean | undefined;
  /** The gas price to pay, e.g. `0.015umin`. Default: the chain's minimum. */
  readonly gasPrices?: string | undefined;
  /** Called before each step is sent and when it is done, or once for a step that the chain already has. */
  readonly onEvent?: ((event: DeployMoveEvent) => void) | undefined;
}

/**
 * Publishes the scoring module of this package, or of an artifact, completes an upgrade, names the finalizer, adds its publisher and others as
 * members, sets the first stage, offers ownership, and reads the result back. Skips what the chain already has, so a second
 * run sends only the remaining steps.
 *
 * @throws InputError `FILE_UNREADABLE` or `INPUT_INVALID` for an artifact that cannot be published, and for a finalizer or
 * owner of a module without roles; CheckError `CHAIN_MISMATCH`; `CONTRACT_NOT_FOUND` if another module has the name, or the chain does not have
 * what was deployed; `CONFIRMATION_MISSING` if another scoring module exists and `upgrade` is not set;
 * `PERMISSION_DENIED` if that module is immutable; `INIT_STAGE_SET` if the contract started at another stage;
 * ExecutionError; BroadcastError; NodeError; the signal's reason when aborted.
 * @example
 * const { address } = await deployMove({ restUrl, account: moveAccount({ mnemonic }), initStage: stage(1n) });
 */
export async function deployMove(parameters: DeployMoveParameters): Promise<DeployedMove> {
  const { account, signal, inclusionTimeoutMs, onEvent, upgradePolicy = "compatible", upgrade = false } = parameters;
  const gasPrice = parameters.gasPrices === undefined ? undefined : parseGasPrice(parameters.gasPrices);
  const { artifact: path, initStage, members = [], finalizer, owner } = parameters;
  const publisher = account.account;
  const artifact = path === undefined ? vipScoreArtifact(publisher) : await readMoveArtifact(path, publisher);
  requireRoles(artifact.features, { finalizer, owner });
  const rest = openRest(parameters.restUrl);
  const chainId = await checkChainId(rest, parameters);
  const reader = { rest, address: publisher };
  const signer = moveSigner(rest, { chainId, account, gasPrice });
  const heights = openHeights(rest);
  const contract = new MoveScoreContract({
    ...reader,
    chainId,
    version: undefined,
    features: noFeatures,
    signer,
    heights,
  });
  const { address } = reader;
  const context: DeployContext = { address, signer, contract, onEvent, inclusionTimeoutMs, signal };

  // What to send depends on the current state, so read the newest that any node behind the endpoint has.
  const found = { height: await newestShown(heights, { signal }), signal };
  const present = await findPublishedModule(reader, found);
  const others = await Promise.all(artifact.others.map(({ name }) => findPublishedModule(reader, found, name)));
  const desiredModule = { address, sender: account.address, artifact, upgradePolicy, upgrade };
  const codes = others.map((module) => module?.code);
  const step = planPublish(desiredModule, present, codes);
  let published: StepOutcome | undefined;
  if (step === undefined) {
    const { upgradePolicy: policy } = present ?? { upgradePolicy };
    reportUnchanged(context, { step: "publish", upgradePolicy: policy });
  } else published = await runDeployStep(context, step);
  const desiredState = { initStage, members, finalizer, owner, hasRoles: artifact.features.roles };
  const height = await completeState(reader, context, desiredState, { height: published?.height ?? found.height });
  const state = await readBack(reader, { height, signal });
  const transaction = published && { hash: published.hash, height: published.height, gasUsed: published.gasUsed };
  return { ...state, chainId, transaction };
}
