import type { Account } from "@vipscore/core";
import type { DeployContextOf, DeployStepOf, StepProgress } from "@vipscore/core/engine";
import type { CosmosMessage, TransactionSigner } from "@vipscore/cosmos";

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
