import type { Account, Stage } from "@vipscore/core";
import type { DeployContextOf, DeployStepOf, StepProgress } from "@vipscore/core/engine";
import type { CosmosMessage, TransactionSigner } from "@vipscore/cosmos";
import type { UpgradePolicy } from "./publishedModule.ts";

/** A step of a deployment. */
export interface DeployMoveEvent extends StepProgress {
  /**
   * `upgrade` replaces a scoring module with this package's, `completeUpgrade` creates what this package's adds to its
   * state, `seal` makes it immutable.
   */
  readonly step:
    | "publish"
    | "upgrade"
    | "seal"
    | "completeUpgrade"
    | "addMember"
    | "setInitStage"
    | "setFinalizer"
    | "offerOwnership";
  /** The module's address (its publisher's). */
  readonly address: Account;
  /** The added member, the finalizer, or the account that ownership is offered to. */
  readonly account?: Account;
  /** The first stage, with `setInitStage`. */
  readonly stage?: Stage;
  /** The module's policy after the step, if the step publishes. */
  readonly upgradePolicy?: UpgradePolicy;
}

/** Subject that a step applies to. */
export type StepSubject = Pick<DeployMoveEvent, "step" | "account" | "stage" | "upgradePolicy">;

/** One transaction of a deployment. */
export type DeployStep = DeployStepOf<StepSubject, CosmosMessage>;

/** The contract, signer and options with which the steps of a deployment are sent. */
export type DeployContext = DeployContextOf<Account, StepSubject, TransactionSigner>;
