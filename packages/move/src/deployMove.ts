import type { Account, Stage, WaitOptions } from "@vipscore/core";
import { newestShown, reportUnchanged, runDeployStep, type StepOutcome } from "@vipscore/core/engine";
import { openRest } from "@vipscore/core/wire";
import { parseGasPrice, type CosmosAccount } from "@vipscore/cosmos";
import { completeState, readBack, type DeployedMove } from "./deployedState.ts";
import type { DeployContext, DeployMoveEvent } from "./deploySteps.ts";
import { MoveScoreContract } from "./moveScoreContract.ts";
import { moveSigner } from "./moveSigner.ts";
import { findPublishedModule, type UpgradePolicy } from "./publishedModule.ts";
import { planPublish } from "./publishStep.ts";
import { openHeights } from "./readHeight.ts";
import { checkChainId, type ReadMoveChainIdParameters } from "./readMoveChainId.ts";

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
 * Publishes the scoring module of this package, completes an upgrade, names the finalizer, adds its publisher and others as
 * members, sets the first stage, offers ownership, and reads the result back. Skips what the chain already has, so a second
 * run sends only the remaining steps.
 *
 * @throws CheckError `CHAIN_MISMATCH`; `CONTRACT_NOT_FOUND` if another module has the name, or the chain does not have
 * what was deployed; `CONFIRMATION_MISSING` if another scoring module exists and `upgrade` is not set;
 * `PERMISSION_DENIED` if that module is immutable; `INIT_STAGE_SET` if the contract started at another stage;
 * ExecutionError; BroadcastError; NodeError; the signal's reason when aborted.
 * @example
 * const { address } = await deployMove({ restUrl, account: moveAccount({ mnemonic }), initStage: stage(1n) });
 */
export async function deployMove(parameters: DeployMoveParameters): Promise<DeployedMove> {
  const { account, signal, inclusionTimeoutMs, onEvent, upgradePolicy = "compatible", upgrade = false } = parameters;
  const gasPrice = parameters.gasPrices === undefined ? undefined : parseGasPrice(parameters.gasPrices);
  const rest = openRest(parameters.restUrl);
  const chainId = await checkChainId(rest, parameters);
  const reader = { rest, address: account.account };
  const signer = moveSigner(rest, { chainId, account, gasPrice });
  const heights = openHeights(rest);
  const contract = new MoveScoreContract({ ...reader, chainId, version: undefined, signer, heights });
  const { address } = reader;
  const context: DeployContext = { address, signer, contract, onEvent, inclusionTimeoutMs, signal };

  // What to send depends on the current state, so read the newest that any node behind the endpoint has.
  const found = { height: await newestShown(heights, { signal }), signal };
  const present = await findPublishedModule(reader, found);
  const desiredModule = { address, sender: account.address, upgradePolicy, upgrade };
  const step = planPublish(desiredModule, present);
  let published: StepOutcome | undefined;
  if (step === undefined) {
    const { upgradePolicy: policy } = present ?? { upgradePolicy };
    reportUnchanged(context, { step: "publish", upgradePolicy: policy });
  } else published = await runDeployStep(context, step);
  const { initStage, members = [], finalizer, owner } = parameters;
  const desiredState = { initStage, members, finalizer, owner };
  const height = await completeState(reader, context, desiredState, { height: published?.height ?? found.height });
  const state = await readBack(reader, { height, signal });
  const transaction = published && { hash: published.hash, height: published.height, gasUsed: published.gasUsed };
  return { ...state, chainId, transaction };
}
