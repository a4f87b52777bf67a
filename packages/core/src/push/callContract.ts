import type { Account } from "../account.ts";
import { accountOf } from "../account/readAccount.ts";
import { BroadcastError, ExecutionError, isFailedCheck, VipError, type Hint } from "../errors/vipError.ts";
import type { ReadOptions, SignalOptions } from "../readOptions.ts";
import type {
  ContractCall,
  ContractControl,
  OtherCall,
  ScoreContract,
  SignedTransaction,
  SpelledCall,
  StageInfo,
} from "../scoreContract.ts";
import type { Journal } from "./journal.ts";
import { stageNotFound } from "./readStage.ts";
import {
  noReceipt,
  signAndSubmit,
  usedAt,
  waitForOutcome,
  type Included,
  type SenderPort,
  type SignAndSubmitOptions,
  type Unclear,
  type WaitOptions,
  type Written,
} from "./waitForOutcome.ts";

/**
 * Sends one call that is not a batch of scores (finalize, members, owner) and waits for its block. Accounts may have any spelling. On a node without an index of
 * transactions, it is done once state shows its effect: then `height` is that of the state, and `gasUsed` undefined.
 *
 * @throws ExecutionError or VipError with the reason when the contract refuses; BroadcastError; NodeError.
 */
export async function callContract(
  contract: ScoreContract,
  given: SpelledCall,
  options: WaitOptions & { readonly journal?: Journal | undefined } = {},
): Promise<{ readonly hash: string; readonly height: bigint; readonly gasUsed: bigint | undefined }> {
  const { journal, signal } = options;
  const call = readCall(given, contract);
  const gas = contract.getCallGas(call);
  const sign = (sequence: bigint) => contract.sign(call, { sequence, gas, signal });
  const transaction = await signAndSubmit(contract, sign, { journal, rows: 0, signal }).catch(
    async (error: unknown) => {
      if (!(error instanceof BroadcastError) || error.refusal !== "execution") throw error;
      throw (await findRefusal(contract, call, { signal })) ?? error;
    },
  );
  const { hash } = transaction;
  const look = async (hasReceipts: boolean): Promise<Written | Unclear | "waits" | "unclear"> => {
    if (hasReceipts) return "unclear";
    const height = await usedAt(contract, transaction, { signal });
    if (height === undefined) return "waits";
    return (await hasEffect(contract, call, { height, signal })) ? { state: "written", height } : { state: "unclear" };
  };
  const outcome = await waitForOutcome(contract, transaction, { ...options, look });
  if (outcome.state === "dropped") {
    throw replacedTransaction(
      transaction,
      "Is another program signing with the same key? Try again when that program is done.",
    );
  }
  if (outcome.state === "unclear") throw (await findRefusal(contract, call, { signal })) ?? noReceipt(transaction);
  if (outcome.state === "written") return { hash, height: outcome.height, gasUsed: undefined };
  if (!outcome.succeeded) throw await failedTransaction(contract, call, { ...outcome, hash }, { signal });
  return { hash, height: outcome.height, gasUsed: outcome.gasUsed };
}

function readCall(call: SpelledCall, { accountBytes }: ScoreContract): OtherCall {
  const read = (text: string): Account => accountOf(text, accountBytes);
  if ("accounts" in call) return { ...call, accounts: call.accounts.map(read) };
  if (call.kind === "setFinalizer")
    return { ...call, account: call.account === undefined ? undefined : read(call.account) };
  return "account" in call ? { ...call, account: read(call.account) } : call;
}

/** Returns whether state is as the call makes it. */
async function hasEffect(contract: ScoreContract, call: OtherCall, options: ReadOptions): Promise<boolean> {
  if (call.kind === "finalizeStage") return (await contract.getStage(call.stage, options))?.isFinalized === true;
  if (call.kind === "addMember") return contract.isMember(call.account, options);
  if (call.kind === "removeMember") return !(await contract.isMember(call.account, options));
  if (call.kind === "setMembers") {
    const members = new Set(await contract.getMembers(options));
    return members.size === new Set(call.accounts).size && call.accounts.every((account) => members.has(account));
  }
  const { owner, pendingOwner, finalizer, othersManage } = await requireControl(contract, options);
  if (call.kind === "setFinalizer") return finalizer === call.account;
  if (call.kind === "setManagement") return othersManage === call.allowed;
  return call.kind === "offerOwnership" ? pendingOwner === call.account : owner === contract.signer;
}

/** Reads state to find out why a call fails, as nodes such as minievm give no reason; undefined if the state shows none. */
export async function findRefusal(
  contract: ScoreContract,
  call: ContractCall,
  options: SignalOptions = {},
): Promise<VipError | undefined> {
  try {
    await checkCall(contract, call, options);
    return undefined;
  } catch (error) {
    if (!isFailedCheck(error)) throw error;
    return error;
  }
}

/** Returns the error for a transaction that failed in its block, with the reason from the chain's answer or its state. */
export async function failedTransaction(
  contract: ScoreContract,
  call: ContractCall,
  failed: Included & { readonly hash: string },
  options: SignalOptions = {},
): Promise<VipError> {
  const reason = await findRefusal(contract, call, options);
  const why = failed.details === undefined ? "" : `: ${failed.details.slice(0, 200)}`;
  return new ExecutionError(
    reason?.shortMessage ?? `transaction ${failed.hash} failed in block ${failed.height}${why}`,
    {
      code: reason?.code ?? failed.code ?? "TRANSACTION_FAILED",
      txHash: failed.hash,
      metaMessages: [...(reason?.advice ?? []), `Transaction ${failed.hash}, gas used ${failed.gasUsed}.`],
      ...(failed.details === undefined ? {} : { details: failed.details }),
    },
  );
}

/** Returns the error for a dropped transaction: another one used its sequence. */
export function replacedTransaction(
  { hash, sequence }: Pick<SignedTransaction, "hash" | "sequence">,
  ...metaMessages: readonly string[]
): ExecutionError {
  return new ExecutionError(`transaction ${hash} was replaced: another one used sequence ${sequence}`, {
    code: "TRANSACTION_FAILED",
    txHash: hash,
    metaMessages,
  });
}

/**
 * Signs and broadcasts one transaction that does not call a scoring contract, such as a step of a deployment, and waits for
 * its block.
 *
 * @param name The transaction's name in error messages, for example `instantiate`.
 * @throws ExecutionError when it fails in the block; BroadcastError; NodeError; VipError `PENDING_TRANSACTIONS`.
 */
export async function runTransaction(
  port: SenderPort,
  name: string,
  sign: (sequence: bigint) => Promise<SignedTransaction>,
  options: WaitOptions & Pick<SignAndSubmitOptions, "sequence" | "onSigned"> = {},
): Promise<Included & { readonly hash: string }> {
  const transaction = await signAndSubmit(port, sign, { ...options, rows: 0 });
  const { hash } = transaction;
  const outcome = await waitForOutcome(port, transaction, options);
  if (outcome.state === "dropped") {
    throw replacedTransaction(transaction, "Is another program signing with the same key?");
  }
  if (!outcome.succeeded) {
    const { height, gasUsed, details = "the node gives no reason" } = outcome;
    throw new ExecutionError(`${name} failed in block ${height}: ${details}`, {
      code: outcome.code ?? "TRANSACTION_FAILED",
      txHash: hash,
      metaMessages: [`Transaction ${hash}, gas used ${gasUsed}.`],
      details,
    });
  }
  return { ...outcome, hash };
}

/**
 * Reads state and refuses a call that the contract would refuse in a block for a fee.
 *
 * @throws VipError `PERMISSION_DENIED`, `NOT_SUPPORTED`, `STAGE_NOT_FOUND`, `STAGE_FINALIZED`, `FINALIZE_MISMATCH`; NodeError.
 */
export async function checkCall(contract: ScoreContract, call: ContractCall, options: ReadOptions = {}): Promise<void> {
  switch (call.kind) {
    case "updateScores":
      await requireOpen(contract, call, options);
      return checkMember(contract, options);
    case "finalizeStage":
      checkExpected(call, await requireOpen(contract, call, options));
      return checkFinalizer(contract, options);
    case "addMember":
    case "removeMember":
      return checkManager(contract, options);
    case "setMembers":
    case "setFinalizer":
    case "setManagement":
    case "offerOwnership":
      return checkOwner(contract, options);
    case "acceptOwnership":
      return checkOffered(contract, options);
  }
}

async function requireOpen(
  contract: ScoreContract,
  { stage }: ContractCall & { kind: "updateScores" | "finalizeStage" },
  options: ReadOptions,
): Promise<StageInfo> {
  const info = await contract.getStage(stage, options);
  if (info === undefined) throw await stageNotFound(contract, stage, options);
  checkOpen(info);
  return info;
}

function checkExpected(call: ContractCall & { kind: "finalizeStage" }, info: StageInfo): void {
  const { expected } = call;
  if (expected === undefined) return;
  const { total, count, revision } = expected;
  const changed = total !== info.total || count !== info.count;
  if (!changed && revision === info.revision) return;
  const found = changed
    ? `expected a total of ${total} in ${count} accounts, the contract has ${info.total} in ${info.count ?? "unknown"}.`
    : `its total and number of accounts are as expected, but scores were written: its revision is ${info.revision ?? "unknown"}, not ${revision}.`;
  throw new VipError(
    `scores of stage ${call.stage} changed between the check and the block of the finalize: ${found} It is still open.`,
    {
      code: "FINALIZE_MISMATCH",
      metaMessages: ["Find out which other member writes scores. Push the file again, then finalize."],
    },
  );
}

/** Checks that the signer may finalize a stage: it is the finalizer, or a member if the owner named no finalizer. */
export async function checkFinalizer(contract: ScoreContract, options: ReadOptions = {}): Promise<void> {
  const signer = requireSigner(contract);
  const control = await contract.getControl(options);
  if (control?.finalizer === undefined) return checkMember(contract, options);
  if (control.finalizer === signer) return;
  throw permissionDenied(
    `${signer} may not finalize stages of ${contract.identity.address}: only ${control.finalizer} may.`,
    [
      `Finalize with the key of ${control.finalizer}; scores can be pushed with another key.`,
      {
        code: "name-finalizer",
        owner: control.owner,
        text: `The owner, ${control.owner}, can name another account, or let every member finalize.`,
      },
    ],
  );
}

/** @throws VipError `PERMISSION_DENIED` when the signer may not add and remove members, naming who may. */
async function checkManager(contract: ScoreContract, options: ReadOptions = {}): Promise<void> {
  const signer = requireSigner(contract);
  if (await contract.isManager(signer, options)) return;
  const control = await contract.getControl(options);
  throw permissionDenied(`${signer} may not add or remove members of ${contract.identity.address}.`, [
    managers(contract, control),
  ]);
}

/** @throws VipError `PERMISSION_DENIED` when the signer is not the owner; `NOT_SUPPORTED` if there is no owner. */
async function checkOwner(contract: ScoreContract, options: ReadOptions = {}): Promise<void> {
  const signer = requireSigner(contract);
  const { owner } = await requireControl(contract, options);
  if (owner === signer) return;
  throw permissionDenied(`${signer} is not the owner of ${contract.identity.address}: ${owner} is.`, [
    "Sign with the owner's key.",
  ]);
}

/** @throws VipError `PERMISSION_DENIED` when ownership was not offered to the signer; `NOT_SUPPORTED`. */
async function checkOffered(contract: ScoreContract, options: ReadOptions = {}): Promise<void> {
  const signer = requireSigner(contract);
  const { owner, pendingOwner } = await requireControl(contract, options);
  if (pendingOwner === signer) return;
  const offered = pendingOwner === undefined ? "to nobody" : `to ${pendingOwner}`;
  throw permissionDenied(`the ownership of ${contract.identity.address} is offered ${offered}, not to ${signer}.`, [
    { code: "offer-ownership", owner, account: signer, text: `The owner, ${owner}, can offer it.` },
  ]);
}

/** Returns who controls the contract. @throws VipError `NOT_SUPPORTED` for a reference contract, which has no owner. */
async function requireControl(contract: ScoreContract, options: ReadOptions = {}): Promise<ContractControl> {
  const control = await contract.getControl(options);
  if (control !== undefined) return control;
  throw notSupported(contract, "no owner");
}

/** Returns the error for something that a reference contract does not have. @param missing - For example `no owner`. */
export function notSupported(contract: ScoreContract, missing: string, ...hints: readonly Hint[]): VipError {
  const { vm, address } = contract.identity;
  const text =
    "Replace its code with that of the vipscore contract, or deploy a new contract if the code cannot be replaced.";
  return new VipError(`the contract at ${address} is a reference contract, which has ${missing}`, {
    code: "NOT_SUPPORTED",
    metaMessages: [...hints, { code: "replace-reference-contract", vm, text }, "Nothing was sent."],
  });
}

function managers({ identity }: ScoreContract, control: ContractControl | undefined): string | Hint {
  const { vm, address } = identity;
  const owner = control?.owner;
  if (control?.othersManage === false) return `Only the owner, ${owner}, can.`;
  const others = "the contract's members (on Move, the module's publisher) can.";
  const text = owner === undefined ? `Only ${others}` : `The owner, ${owner}, and ${others}`;
  return { code: "ask-manager", vm, address, owner, text };
}

function permissionDenied(message: string, metaMessages: readonly (string | Hint)[]): VipError {
  return new VipError(message, { code: "PERMISSION_DENIED", metaMessages });
}

/** Returns whether the account may finalize stages: the finalizer, or any member if no finalizer is named. */
export function mayFinalize(account: Account, isMember: boolean, control: ContractControl | undefined): boolean {
  return control?.finalizer === undefined ? isMember : control.finalizer === account;
}

/** @throws VipError `STAGE_FINALIZED` when scores of the stage can no longer change. */
export function checkOpen(info: StageInfo): void {
  if (!info.isFinalized) return;
  throw new VipError(
    `stage ${info.stage} is finalized (total ${info.total.toLocaleString("en-US")}): scores in it can no longer change.`,
    {
      code: "STAGE_FINALIZED",
    },
  );
}

/** Returns the account that the contract signs with. @throws `PERMISSION_DENIED` when connected for reading only. */
export function requireSigner(contract: ScoreContract): Account {
  if (contract.signer !== undefined) return contract.signer;
  throw new VipError("the contract was connected without a signer: it can only be read", {
    code: "PERMISSION_DENIED",
  });
}

/** @throws VipError `PERMISSION_DENIED` when the signer is not on the contract's allow-list, naming who is. */
export async function checkMember(contract: ScoreContract, options: ReadOptions = {}): Promise<void> {
  const signer = requireSigner(contract);
  if (await contract.isMember(signer, options)) return;
  const members = await contract.getMembers(options);
  const known = members === undefined ? "" : `; members: ${members.join(", ")}`;
  throw new VipError(`${signer} may not write scores on ${contract.identity.address}${known}.`, {
    code: "PERMISSION_DENIED",
    metaMessages: [{ code: "add-member", account: signer, text: "An account that may add members can add it." }],
  });
}
