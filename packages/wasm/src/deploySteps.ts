import type { Account } from "@vipscore/core";
import type { CosmosDeployContext, CosmosDeployStep, StepProgress } from "@vipscore/core/cosmos";
import type { WasmMessage } from "./wasmAccount.ts";

/** A step of a deployment. */
export interface DeployWasmEvent extends StepProgress {
  readonly step: "store" | "instantiate" | "migrate" | "addMember" | "setFinalizer" | "offerOwnership";
  /** The contract's address in bech32, with the account, the code and the label known before it is there. */
  readonly address: string;
  /** The number under which the chain keeps the code, once it is known. */
  readonly codeId?: bigint;
  /** The member that is added, the finalizer, or the account that ownership is offered to. */
  readonly account?: Account;
}

/** What a step is about. */
export type StepSubject = Pick<DeployWasmEvent, "step" | "account" | "codeId">;

/** One transaction of a deployment. */
export type DeployStep = CosmosDeployStep<StepSubject, WasmMessage>;

/** Where and how the steps of a deployment are sent. */
export type DeployContext = CosmosDeployContext<string, StepSubject, WasmMessage>;
