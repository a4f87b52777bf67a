import type { Account, Included, SignedTransaction, WaitOptions } from "@vipscore/core";
import { runTransaction } from "@vipscore/core/engine";
import type { TransactionSigner } from "@vipscore/core/cosmos";
import type { WasmMessage } from "./wasmAccount.ts";
import type { WasmScoreContract } from "./wasmScoreContract.ts";

/** A step of a deployment. */
export interface DeployWasmEvent {
  readonly step: "store" | "instantiate" | "migrate" | "addMember" | "setFinalizer" | "offerOwnership";
  /** `sending` before its transaction leaves, `done` once it is in a block, `unchanged` where the chain has it already. */
  readonly status: "sending" | "done" | "unchanged";
  /** The contract's address in bech32, with the account, the code and the label known before it is there. */
  readonly address: string;
  /** Hash of the step's transaction; absent where it is `unchanged`. */
  readonly hash?: string;
  /** The number under which the chain keeps the code, once it is known. */
  readonly codeId?: bigint;
  /** The member that is added, the finalizer, or the account that ownership is offered to. */
  readonly account?: Account;
  /** Gas that the step used; with `done`. */
  readonly gasUsed?: bigint;
}

/** What a step is about. */
export type StepSubject = Pick<DeployWasmEvent, "step" | "account" | "codeId">;

/** One transaction of a deployment. */
export interface DeployStep {
  readonly subject: StepSubject;
  readonly message: WasmMessage;
  readonly gas: bigint;
}

/** Where and how the steps of a deployment are sent. */
export interface DeployContext extends WaitOptions {
  /** The address that the contract has or will have. */
  readonly address: string;
  readonly signer: TransactionSigner<WasmMessage>;
  /** The contract at that address. */
  readonly contract: WasmScoreContract;
  readonly onEvent?: ((event: DeployWasmEvent) => void) | undefined;
}

/** Reports a step that has nothing to do. */
export function tellUnchanged({ address, onEvent }: DeployContext, subject: StepSubject): void {
  onEvent?.({ ...subject, address, status: "unchanged" });
}

/** A step's transaction in its block. */
export type StepOutcome = Included & { readonly hash: string };

/**
 * Signs one step, reports it, sends it and waits for its block. `learn` tells what the block says beyond the subject.
 *
 * @throws ExecutionError when it fails there; BroadcastError; NodeError.
 */
export async function runDeployStep(
  context: DeployContext,
  { subject, message, gas }: DeployStep,
  learn: (outcome: StepOutcome) => Promise<Pick<DeployWasmEvent, "codeId">> = () => Promise.resolve({}),
): Promise<StepOutcome & Pick<DeployWasmEvent, "codeId">> {
  const { address, signer, contract, onEvent, signal } = context;
  const sign = (sequence: bigint) => signer.sign(message, { sequence, gas, signal });
  const onSigned = ({ hash }: SignedTransaction): void => onEvent?.({ ...subject, address, status: "sending", hash });
  const included = await runTransaction(contract, subject.step, sign, { ...context, onSigned });
  const { hash } = included;
  const learned = await learn(included);
  onEvent?.({ ...subject, ...learned, address, status: "done", hash, gasUsed: included.gasUsed });
  return { ...included, ...learned };
}
