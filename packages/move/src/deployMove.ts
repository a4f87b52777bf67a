import type { Account, Stage, WaitOptions } from "@vipscore/core";
import { parseGasPrice, runDeployStep, reportUnchanged, type StepOutcome } from "@vipscore/core/cosmos";
import { newestShown } from "@vipscore/core/engine";
import { openRest } from "@vipscore/core/wire";
import { completeState, readBack, type DeployedMove } from "./deployedState.ts";
import type { DeployContext, DeployMoveEvent } from "./deploySteps.ts";
import type { MoveAccount } from "./moveAccount.ts";
import { MoveScoreContract } from "./moveScoreContract.ts";
import { openSigner } from "./openSigner.ts";
import { findPublishedModule, type UpgradePolicy } from "./publishedModule.ts";
import { planPublish } from "./publishStep.ts";
import { openHeights } from "./readHeight.ts";
import { checkChainId, type ReadMoveChainIdParameters } from "./readMoveChainId.ts";

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
  /** What a later publish may change. Default: `compatible`, functions may be added, stored data stays readable. */
  readonly upgradePolicy?: UpgradePolicy | undefined;
  /** Replace another scoring module that the account has published; its stages, scores and members stay. */
  readonly upgrade?: boolean | undefined;
  /** The gas price to pay, e.g. `0.015umin`; without it the chain is asked for the least that it takes. */
  readonly gasPrices?: string | undefined;
  /** Told of each step before it leaves and when it is done, or that nothing is to do. */
  readonly onEvent?: ((event: DeployMoveEvent) => void) | undefined;
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
  let published: StepOutcome | undefined;
  if (step === undefined) {
    const { upgradePolicy: policy } = present ?? { upgradePolicy };
    reportUnchanged(context, { step: "publish", upgradePolicy: policy });
  } else published = await runDeployStep(context, step);
  const { initStage, members = [], finalizer, owner } = parameters;
  const wished = { initStage, members, finalizer, owner };
  const height = await completeState(reader, context, wished, { height: published?.height ?? found.height });
  const state = await readBack(reader, { height, signal });
  const transaction = published && { hash: published.hash, height: published.height, gasUsed: published.gasUsed };
  return { ...state, chainId, transaction };
}
