import type { SignedTransaction } from "../scoreContract.ts";
import type { Signer } from "../sendingContract.ts";
import { runTransaction } from "./callContract.ts";
import type { Included, SenderPort, WaitOptions } from "./waitForOutcome.ts";

/** The progress of a step of a deployment. */
export interface StepProgress {
  /** `sending` before its transaction is sent, `done` once it is in a block, `unchanged` if the chain already has it. */
  readonly status: "sending" | "done" | "unchanged";
  /** Hash of the step's transaction; absent if `unchanged`. */
  readonly hash?: string;
  /** Gas that the step used; only with `done`. */
  readonly gasUsed?: bigint;
}

/** One transaction of a deployment. `Subject` is the subject of the step. */
export interface DeployStepOf<Subject, Message> {
  readonly subject: Subject;
  readonly message: Message;
  readonly gas: bigint;
}

/** The context in which the steps of a deployment are sent. */
export interface DeployContextOf<Address, Subject, Sender> extends WaitOptions {
  /** The address that the contract has or will have. */
  readonly address: Address;
  readonly signer: Sender;
  /** The port that broadcasts the signer's transactions. */
  readonly contract: SenderPort;
  readonly onEvent?: ((event: Subject & StepProgress & { readonly address: Address }) => void) | undefined;
}

/** A step's transaction in its block. */
export type StepOutcome = Included & { readonly hash: string };

/** Options of {@link runDeployStep}. */
export interface DeployStepOptions<Subject> {
  /** The required sequence. Default: the account's next one. */
  readonly sequence?: bigint;
  /** Returns further fields from the block. Default: none. */
  readonly learn?: (outcome: StepOutcome) => Promise<Partial<Subject>>;
}

/** Reports a step that has nothing to do. */
export function reportUnchanged<Address, Subject>(
  { address, onEvent }: DeployContextOf<Address, Subject, unknown>,
  subject: Subject,
): void {
  onEvent?.({ ...subject, address, status: "unchanged" });
}

/**
 * Signs one step, reports it, sends it and waits for its block.
 *
 * @throws ExecutionError when it fails in the block; BroadcastError; NodeError.
 */
export async function runDeployStep<Address, Subject extends { readonly step: string }, Message>(
  context: DeployContextOf<Address, Subject, Pick<Signer<Message>, "sign">>,
  { subject, message, gas }: DeployStepOf<Subject, Message>,
  { sequence: required, learn = () => Promise.resolve({}) }: DeployStepOptions<Subject> = {},
): Promise<StepOutcome & Partial<Subject>> {
  const { address, signer, contract, onEvent, signal } = context;
  const sign = (sequence: bigint) => signer.sign(message, { sequence, gas, signal });
  const onSigned = ({ hash }: SignedTransaction): void => onEvent?.({ ...subject, address, status: "sending", hash });
  const included = await runTransaction(contract, subject.step, sign, { ...context, sequence: required, onSigned });
  const { hash, gasUsed } = included;
  const learned = await learn(included);
  onEvent?.({ ...subject, ...learned, address, status: "done", hash, gasUsed });
  return { ...included, ...learned };
}
