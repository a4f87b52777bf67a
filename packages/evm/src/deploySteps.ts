import { encodeDeployData, type Address, type Hex } from "viem";
import type { Account, ContractCall } from "@vipscore/core";
import {
  runDeployStep,
  type DeployContextOf,
  type DeployStepOf,
  type DesiredState,
  type StepOutcome,
  type StepProgress,
} from "@vipscore/core/engine";
import { encodeCall } from "./encodeCall.ts";
import type { EvmArtifact } from "./evmArtifact.ts";
import type { EvmSigner } from "./evmSigner.ts";
import { deployGas, otherCallGas } from "./gasModel.ts";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

/** A step of a deployment. */
export interface DeployEvmEvent extends StepProgress {
  readonly step: "deploy" | "addMember" | "setFinalizer" | "offerOwnership";
  /** The contract's address, known before it exists. */
  readonly address: Address;
  /** The added member, the finalizer, or the account that ownership is offered to. */
  readonly account?: Account;
}

/** Subject that a step applies to. */
export type StepSubject = Pick<DeployEvmEvent, "step" | "account">;

/** One transaction of a deployment, for a contract whose address is not known yet. */
export type DeployStep = DeployStepOf<StepSubject, Hex>;

/** The contract, signer and options with which the steps of a deployment are sent. */
export type DeployContext = DeployContextOf<Address, StepSubject, EvmSigner>;

/** The transactions of a deployment by `signer`, all encoded before the first is sent. */
export function planDeployment(
  { bytecode }: EvmArtifact,
  { initStage, members, finalizer, owner }: DesiredState,
  signer: Account,
): readonly DeployStep[] {
  const data = encodeDeployData({ abi: vipScoreAbi, bytecode, args: [initStage] });
  const steps: DeployStep[] = [{ subject: { step: "deploy" }, message: data, gas: deployGas(data) }];
  const add = (step: StepSubject["step"], account: Account, call: ContractCall): void =>
    void steps.push({ subject: { step, account }, message: encodeCall(call), gas: otherCallGas });
  // Before the members, so that none of them can ever finalize.
  if (finalizer !== undefined) add("setFinalizer", finalizer, { kind: "setFinalizer", account: finalizer });
  for (const account of new Set(members)) {
    // The constructor makes the signer a member.
    if (account !== signer) add("addMember", account, { kind: "addMember", account });
  }
  if (owner !== undefined && owner !== signer) add("offerOwnership", owner, { kind: "offerOwnership", account: owner });
  return steps;
}

/**
 * Sends one step and waits for its block.
 *
 * @throws ExecutionError when it fails in its block; BroadcastError; NodeError.
 */
export function sendStep(
  context: DeployContext,
  { subject, message: data, gas }: DeployStep,
  sequence: bigint,
): Promise<StepOutcome> {
  const message = subject.step === "deploy" ? { data } : { to: context.address, data };
  return runDeployStep(context, { subject, message, gas }, { sequence });
}
