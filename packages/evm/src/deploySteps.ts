import { encodeDeployData, type Address, type Hex } from "viem";
import type { Account, Included, SignedTransaction, Stage, WaitOptions } from "@vipscore/core";
import { runTransaction, type SignAndHandOverOptions } from "@vipscore/core/engine";
import { encodeCall } from "./encodeCall.ts";
import type { EvmScoreContract } from "./evmScoreContract.ts";
import type { EvmSigner } from "./evmSigner.ts";
import { deployGas, otherCallGas } from "./gasModel.ts";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";
import { vipScoreBytecode } from "./vipScoreBytecode.generated.ts";

/** A step of a deployment. */
export interface DeployEvmEvent {
  readonly step: "deploy" | "addMember" | "setFinalizer" | "offerOwnership";
  /** `sending` before its transaction is sent, `done` once it is in a block, `unchanged` if an earlier run did it. */
  readonly status: "sending" | "done" | "unchanged";
  /** The contract's address, known before it exists. */
  readonly address: Address;
  /** Hash of the step's transaction; absent if the step is `unchanged`. */
  readonly hash?: string;
  /** The added member, the finalizer, or the account that ownership is offered to. */
  readonly account?: Account | undefined;
  /** Gas that the step used; present if it is `done`. */
  readonly gasUsed?: bigint;
}

/** One transaction of a deployment. */
export interface DeployStep extends Pick<DeployEvmEvent, "step" | "account"> {
  readonly data: Hex;
  readonly gas: bigint;
}

/** The state that a deployment must reach. */
export interface DesiredState {
  readonly initStage: Stage;
  readonly members?: readonly Account[] | undefined;
  readonly finalizer?: Account | undefined;
  readonly owner?: Account | undefined;
}

/** The transactions of a deployment by `signer`, all encoded before the first is sent. */
export function planDeployment(
  { initStage, members = [], finalizer, owner }: DesiredState,
  signer: Account,
): readonly DeployStep[] {
  const data = encodeDeployData({ abi: vipScoreAbi, bytecode: vipScoreBytecode, args: [initStage] });
  const steps: DeployStep[] = [{ step: "deploy", data, gas: deployGas(data) }];
  // Before the members, so that none of them can ever finalize.
  if (finalizer !== undefined) {
    const named = encodeCall({ kind: "setFinalizer", account: finalizer });
    steps.push({ step: "setFinalizer", account: finalizer, data: named, gas: otherCallGas });
  }
  for (const account of new Set(members)) {
    // The constructor makes the signer a member.
    if (account === signer) continue;
    steps.push({
      step: "addMember",
      account,
      data: encodeCall({ kind: "addMember", account }),
      gas: otherCallGas,
    });
  }
  if (owner !== undefined && owner !== signer) {
    const offer = encodeCall({ kind: "offerOwnership", account: owner });
    steps.push({ step: "offerOwnership", account: owner, data: offer, gas: otherCallGas });
  }
  return steps;
}

/** Where and how the steps of a deployment are sent. */
export interface DeployContext extends WaitOptions {
  readonly signer: EvmSigner;
  /** The contract at its future address. */
  readonly contract: EvmScoreContract;
  readonly onEvent?: ((event: DeployEvmEvent) => void) | undefined;
}

/** Reports a step that has nothing to do. */
export function reportUnchanged(
  { contract, onEvent }: Pick<DeployContext, "contract" | "onEvent">,
  { step, account }: Pick<DeployStep, "step" | "account">,
): void {
  onEvent?.({ step, address: contract.identity.address, account, status: "unchanged" });
}

/**
 * Signs one step, reports it, sends it and waits for its block.
 *
 * @throws ExecutionError when it fails in its block; BroadcastError; NodeError.
 */
export async function runDeployStep(
  context: DeployContext,
  { step, account: subject, data, gas }: DeployStep,
  options: Pick<SignAndHandOverOptions, "sequence"> = {},
): Promise<Included & { readonly hash: string }> {
  const { signer, contract, onEvent, signal } = context;
  const { address } = contract.identity;
  const message = step === "deploy" ? { data } : { to: address, data };
  const sign = (sequence: bigint) => signer.sign(message, { sequence, gas, signal });
  const about = { step, address, account: subject };
  const onSigned = ({ hash }: SignedTransaction): void => onEvent?.({ ...about, hash, status: "sending" });
  const included = await runTransaction(contract, step, sign, { ...context, ...options, onSigned });
  const { hash, gasUsed } = included;
  onEvent?.({ ...about, hash, status: "done", gasUsed });
  return included;
}
