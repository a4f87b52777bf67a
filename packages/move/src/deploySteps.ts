import type { Msg } from "@initia/initia.js";
import type { Account, Included, SignedTransaction, Stage, WaitOptions } from "@vipscore/core";
import { runTransaction } from "@vipscore/core/engine";
import type { MoveScoreContract } from "./moveScoreContract.ts";
import type { UpgradePolicy } from "./publishedModule.ts";
import type { TransactionSigner } from "@vipscore/core/cosmos";

/** A step of a deployment. */
export interface DeployMoveEvent {
  /**
   * `upgrade` replaces a scoring module by this package's, `seal` makes it immutable, `createSettings` has an upgraded module
   * keep revisions and take a finalizer.
   */
  readonly step:
    | "publish"
    | "upgrade"
    | "seal"
    | "createSettings"
    | "addMember"
    | "setInitStage"
    | "setFinalizer"
    | "offerOwnership";
  /** `sending` before its transaction leaves, `done` once it is in a block, `unchanged` where the chain has it already. */
  readonly status: "sending" | "done" | "unchanged";
  /** The module's address, its publisher's. */
  readonly address: Account;
  /** Hash of the step's transaction; absent where it is `unchanged`. */
  readonly hash?: string;
  /** The member that is added, the finalizer, or the account that ownership is offered to. */
  readonly account?: Account;
  /** The first stage, with `setInitStage`. */
  readonly stage?: Stage;
  /** The module's policy after the step, where it publishes. */
  readonly upgradePolicy?: UpgradePolicy;
  /** Gas that the step used; with `done`. */
  readonly gasUsed?: bigint;
}

/** What a step is about. */
export type StepSubject = Pick<DeployMoveEvent, "step" | "account" | "stage" | "upgradePolicy">;

/** One transaction of a deployment. */
export interface DeployStep {
  readonly subject: StepSubject;
  readonly message: Msg;
  readonly gas: bigint;
}

/** Where and how the steps of a deployment are sent. */
export interface DeployContext extends WaitOptions {
  readonly address: Account;
  readonly signer: TransactionSigner<Msg>;
  /** The contract at the address that it will have. */
  readonly contract: MoveScoreContract;
  readonly onEvent?: ((event: DeployMoveEvent) => void) | undefined;
}

/** Reports a step that has nothing to do. */
export function tellUnchanged({ address, onEvent }: DeployContext, subject: StepSubject): void {
  onEvent?.({ ...subject, address, status: "unchanged" });
}

/**
 * Signs one step, reports it, sends it and waits for its block.
 *
 * @throws ExecutionError when it fails there; BroadcastError; NodeError.
 */
export async function runDeployStep(
  context: DeployContext,
  { subject, message, gas }: DeployStep,
): Promise<Included & { readonly hash: string }> {
  const { address, signer, contract, onEvent, signal } = context;
  const sign = (sequence: bigint) => signer.sign(message, { sequence, gas, signal });
  const onSigned = ({ hash }: SignedTransaction): void => onEvent?.({ ...subject, address, status: "sending", hash });
  const included = await runTransaction(contract, subject.step, sign, { ...context, onSigned });
  const { hash } = included;
  onEvent?.({ ...subject, address, status: "done", hash, gasUsed: included.gasUsed });
  return included;
}
