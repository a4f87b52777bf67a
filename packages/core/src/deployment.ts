import type { Account } from "./account.ts";
import { accountOf, type AccountOptions } from "./account/readAccount.ts";
import type { ContractFeatures } from "./contractIdentity.ts";
import { InputError } from "./errors/inputError.ts";
import { VipError, type Hint } from "./errors/vipError.ts";
import type { Signer } from "./openContract.ts";
import { runTransaction } from "./push/callContract.ts";
import type { Included, SenderPort, WaitOptions } from "./push/waitForOutcome.ts";
import type { SignedTransaction } from "./scoreContract.ts";
import type { Stage } from "./stage.ts";

/** What a deployment takes on every VM. Accounts may have any spelling. */
export interface DeployParameters extends Pick<WaitOptions, "inclusionTimeoutMs"> {
  /** The first stage; the deployment creates it. */
  readonly initStage: Stage;
  /** Further accounts that may write scores. */
  readonly members?: readonly string[] | undefined;
  /** The only account that may finalize stages, member or not. Default: unchanged; at first every member may. */
  readonly finalizer?: string | undefined;
  /**
   * The account to offer ownership to; it becomes the owner when it accepts. Default: `account` stays owner. Where code can be
   * replaced, it requires the option that says who may do so: that account has all of an owner's power and more.
   */
  readonly owner?: string | undefined;
  /**
   * The file of another scoring contract: JSON of Hardhat or Foundry, a `.wasm` file; on Move a `.mv` file compiled for the
   * account's address, a folder of them, or that of a package that was built. Default: the VM package's contract.
   */
  readonly artifact?: string | undefined;
  /** Called before each step is sent and when it is done, or once for a step that the chain already has. */
  readonly onEvent?: ((event: DeployEvent) => void) | undefined;
}

/** The desired result of a deployment. */
export interface DesiredState {
  readonly initStage: Stage;
  /** Accounts that may write scores. */
  readonly members: readonly Account[];
  /** The only account that may finalize stages. Undefined: unchanged. */
  readonly finalizer: Account | undefined;
  /** The account to offer ownership to. Undefined: nobody. */
  readonly owner: Account | undefined;
}

/** The state that a deployment has reached. */
export interface DeployedState {
  readonly initStage: Stage;
  /** All members; for a contract that cannot list them, those of the deployment. */
  readonly members: readonly Account[];
  /** The only account that may finalize stages; undefined if every member may. */
  readonly finalizer: Account | undefined;
  /** Undefined for a contract without roles. */
  readonly owner: Account | undefined;
  /** The account that must accept ownership to become the owner; undefined if ownership was not offered. */
  readonly pendingOwner: Account | undefined;
}

/** A deployed contract on any VM, with its state read back from the chain. */
export interface DeployedContract extends DeployedState {
  /** The transaction that created or migrated the contract; undefined if it already existed. */
  readonly transaction: { readonly hash: string; readonly height: bigint; readonly gasUsed: bigint } | undefined;
  /** The contract's own version; undefined if it reports none. */
  readonly version: string | undefined;
  readonly features: ContractFeatures;
}

/** What a step of a deployment does. */
export interface StepSubject {
  /**
   * `deploy` on EVM. On Move, `publish`; `upgrade` replaces another scoring module, `seal` makes it immutable, `completeUpgrade`
   * creates what the new one adds to the state. On Wasm, `store` and `instantiate`, or `migrate`. The others on every VM.
   */
  readonly step:
    | "deploy"
    | "publish"
    | "upgrade"
    | "seal"
    | "completeUpgrade"
    | "store"
    | "instantiate"
    | "migrate"
    | "setInitStage"
    | "setFinalizer"
    | "addMember"
    | "offerOwnership";
  /** The added member, the finalizer, or the account that ownership is offered to. */
  readonly account?: Account;
  /** The first stage, with `setInitStage`. */
  readonly stage?: Stage;
  /** The module's policy after the step, if the step publishes. */
  readonly upgradePolicy?: "compatible" | "immutable";
  /** The id of the code on a Wasm chain, once known. */
  readonly codeId?: bigint;
}

/** The progress of a step of a deployment. */
export interface DeployEvent extends StepSubject {
  /** The contract's address as the chain spells it, known before the contract exists. */
  readonly address: string;
  /** `sending` before its transaction is sent, `done` once it is in a block, `unchanged` if the chain already has it. */
  readonly status: "sending" | "done" | "unchanged";
  /** Hash of the step's transaction; absent if `unchanged`. */
  readonly hash?: string;
  /** Gas that the step used; only with `done`. */
  readonly gasUsed?: bigint;
}

/** One transaction of a deployment. */
export interface DeployStep<Message> {
  readonly subject: StepSubject;
  readonly message: Message;
  readonly gas: bigint;
}

/** The context in which the steps of a deployment are sent. */
export interface DeployContext<Message> extends WaitOptions {
  /** The address that the contract has or will have. */
  readonly address: string;
  readonly signer: Pick<Signer<Message>, "sign">;
  /** The port that broadcasts the signer's transactions. */
  readonly sender: SenderPort;
  readonly onEvent?: ((event: DeployEvent) => void) | undefined;
}

/** A step's transaction in its block. */
export type StepOutcome = Included & { readonly hash: string };

/** Reports a step that has nothing to do. */
export function reportUnchanged(
  { address, onEvent }: Pick<DeployContext<never>, "address" | "onEvent">,
  subject: StepSubject,
): void {
  onEvent?.({ ...subject, address, status: "unchanged" });
}

/**
 * Signs one step, reports it, sends it and waits for its block.
 *
 * @param options - `sequence`: the required one; default: the account's next one. `learn`: returns the code's id from the block.
 * @throws ExecutionError when it fails in the block; BroadcastError; NodeError.
 */
export async function runDeployStep<Message>(
  context: DeployContext<Message>,
  { subject, message, gas }: DeployStep<Message>,
  { sequence: required, learn }: { sequence?: bigint; learn?: (outcome: StepOutcome) => Promise<bigint> } = {},
): Promise<StepOutcome & { readonly codeId?: bigint }> {
  const { address, signer, sender, onEvent, signal } = context;
  const sign = (sequence: bigint) => signer.sign(message, { sequence, gas, signal });
  const onSigned = ({ hash }: SignedTransaction): void => onEvent?.({ ...subject, address, status: "sending", hash });
  const included = await runTransaction(sender, subject.step, sign, { ...context, sequence: required, onSigned });
  const { hash, gasUsed } = included;
  const learned = learn && { codeId: await learn(included) };
  onEvent?.({ ...subject, ...learned, address, status: "done", hash, gasUsed });
  return { ...included, ...learned };
}

/** A call that gives a deployed contract its roles. */
interface RoleCall {
  readonly kind: "setFinalizer" | "addMember" | "offerOwnership";
  readonly account: Account;
}

/** Plans the calls that give a deployed contract its roles, in the one safe order. */
export function planRoles<Message>(
  { members, finalizer, owner }: Pick<DesiredState, "members" | "finalizer" | "owner">,
  encode: (call: RoleCall) => Pick<DeployStep<Message>, "message" | "gas">,
): readonly DeployStep<Message>[] {
  const plan = (step: RoleCall["kind"], account: Account): DeployStep<Message> => ({
    subject: { step, account },
    ...encode({ kind: step, account }),
  });
  return [
    // Before the members, so that none of them can ever finalize.
    ...(finalizer === undefined ? [] : [plan("setFinalizer", finalizer)]),
    ...[...new Set(members)].map((member) => plan("addMember", member)),
    // At last: only the owner can make the other calls.
    ...(owner === undefined ? [] : [plan("offerOwnership", owner)]),
  ];
}

/** The state that steps are compared with; `initStage` is 0 until the first stage is set. */
export type ReachedState = Omit<DeployedState, "initStage"> & { readonly initStage: bigint };

/** True if the contract's state already has what a step brings. */
export function isStepDone({ subject }: DeployStep<unknown>, state: ReachedState): boolean {
  const { step, account, stage } = subject;
  if (step === "addMember") return state.members.some((member) => member === account);
  if (step === "setFinalizer") return state.finalizer === account;
  if (step === "offerOwnership") return (state.pendingOwner ?? state.owner) === account;
  return step === "setInitStage" && state.initStage === stage;
}

/**
 * Sends, in their order, the steps that a contract's state lacks, and reports the others as unchanged.
 *
 * @param sequence - Required for the first step sent, the next ones follow. Default: each time the account's next one.
 * @returns the height of the last block; undefined if nothing was sent.
 * @throws ExecutionError when a step fails in its block; BroadcastError; NodeError.
 */
export async function completeDeployment<Message>(
  context: DeployContext<Message>,
  steps: readonly DeployStep<Message>[],
  state: ReachedState | undefined,
  sequence?: bigint,
): Promise<bigint | undefined> {
  let height: bigint | undefined;
  let next = sequence;
  for (const step of steps) {
    if (state !== undefined && isStepDone(step, state)) {
      reportUnchanged(context, step.subject);
      continue;
    }
    ({ height } = await runDeployStep(context, step, next === undefined ? {} : { sequence: next }));
    if (next !== undefined) next += 1n;
  }
  return height;
}

/**
 * Compares a contract's state, read back from the chain, with the one that was wanted.
 *
 * @param creator - The account that created the contract in this deployment, so that nobody else has changed its roles;
 * undefined for a contract that existed before.
 * @throws VipError `CONTRACT_NOT_FOUND` if they differ.
 */
export function requireDeployed(
  address: string,
  { initStage, members, finalizer, owner, pendingOwner }: DeployedState,
  desired: DesiredState,
  { roles, creator }: { readonly roles: boolean; readonly creator: Account | undefined },
): void {
  if (initStage !== desired.initStage) {
    throw notAsDeployed(address, `its first stage is ${initStage}, not ${desired.initStage}`);
  }
  const missing = desired.members.filter((member) => !members.includes(member));
  if (missing.length > 0) throw notAsDeployed(address, `it lacks the members ${missing.join(", ")}`);
  if (!roles) return;
  const isNew = creator !== undefined;
  if ((isNew || desired.finalizer !== undefined) && finalizer !== desired.finalizer) {
    throw notAsDeployed(address, `its finalizer is ${finalizer ?? "any member"}`);
  }
  if (isNew && owner !== creator) throw notAsDeployed(address, `its owner is ${owner}`);
  const isOffered = isNew
    ? pendingOwner === (desired.owner === creator ? undefined : desired.owner)
    : desired.owner === undefined || (pendingOwner ?? owner) === desired.owner;
  if (!isOffered) throw notAsDeployed(address, `its ownership is offered to ${pendingOwner ?? "nobody"}`);
}

/** Creates the error for a contract that differs from what was deployed. */
export function notAsDeployed(address: string, difference: string): VipError {
  return new VipError(`the contract at ${address} is not what was deployed: ${difference}`, {
    code: "CONTRACT_NOT_FOUND",
  });
}

/** Creates the error for a file that cannot be deployed. @param hints - What to do about it. */
export function artifactRefused(file: string, problem: string, hints: readonly string[] = []): InputError {
  return new InputError(`${file} cannot be deployed: ${problem}`, { metaMessages: [...hints, "Nothing was sent."] });
}

/** Reads the accounts of a deployment. @throws InputError `INPUT_INVALID`. */
export function readRoles(
  { members = [], finalizer, owner }: Pick<DeployParameters, "members" | "finalizer" | "owner">,
  accountBytes: AccountOptions["accountBytes"],
): Pick<DesiredState, "members" | "finalizer" | "owner"> {
  const read = (text: string): Account => accountOf(text, accountBytes);
  const [named, next] = [finalizer, owner].map((text) => (text === undefined ? undefined : read(text)));
  return { members: members.map(read), finalizer: named, owner: next };
}

/** @throws InputError `INPUT_INVALID` if code without roles is to get a finalizer or another owner. */
export function requireRoles(
  { roles }: ContractFeatures,
  { finalizer, owner }: Pick<DesiredState, "finalizer" | "owner">,
): void {
  if (roles || (finalizer === undefined && owner === undefined)) return;
  throw new InputError("the contract to deploy has no owner and no finalizer", {
    metaMessages: [
      {
        code: "reference-roles",
        text: "Deploy it without owner and finalizer, or build it on the vipscore contract.",
      },
      "Nothing was sent.",
    ],
  });
}

/**
 * A transfer of ownership must end the old key's power, but the deployer may still replace the code that enforces ownership.
 *
 * @param deployer - Undefined if it is not known yet.
 * @param option - The option of the deployment that says who can replace the code.
 * @throws InputError `INPUT_INVALID` if another account is to own the contract and the option is missing.
 */
export function requireReplacer(
  deployer: Account | undefined,
  owner: Account | undefined,
  option: { readonly name: string; readonly value: string | undefined; readonly hint: Hint },
): void {
  if (owner === undefined || owner === deployer || option.value !== undefined) return;
  throw new InputError(`owner is set without ${option.name}: the deployer could still replace the contract's code`, {
    metaMessages: [option.hint, "Nothing was sent."],
  });
}
