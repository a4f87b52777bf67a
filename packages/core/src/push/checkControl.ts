import type { Account } from "../account.ts";
import type { Hint } from "../errors/hint.ts";
import { CheckError } from "../errors/vipError.ts";
import type { ReadOptions } from "../readOptions.ts";
import type { ContractControl, ScoreContract } from "../scoreContract.ts";
import { checkMember, requireSigner } from "./checkWritable.ts";

/**
 * Checks that the signer may finalize a stage: it is the finalizer, or a member if the owner named no finalizer.
 *
 * @throws CheckError `PERMISSION_DENIED`, naming who may.
 */
export async function checkFinalizer(contract: ScoreContract, options: ReadOptions = {}): Promise<void> {
  const signer = requireSigner(contract);
  const control = await contract.getControl(options);
  if (control?.finalizer === undefined) return checkMember(contract, options);
  if (control.finalizer === signer) return;
  throw denied(`${signer} may not finalize stages of ${contract.identity.address}: only ${control.finalizer} may.`, [
    `Finalize with the key of ${control.finalizer}; scores can be pushed with another key.`,
    {
      code: "name-finalizer",
      owner: control.owner,
      text: `The owner, ${control.owner}, can name another account, or let every member finalize.`,
    },
  ]);
}

/** @throws CheckError `PERMISSION_DENIED` when the signer may not add and remove members, naming who may. */
export async function checkManager(contract: ScoreContract, options: ReadOptions = {}): Promise<void> {
  const signer = requireSigner(contract);
  if (await contract.isManager(signer, options)) return;
  const control = await contract.getControl(options);
  throw denied(`${signer} may not add or remove members of ${contract.identity.address}.`, [
    managers(contract, control),
  ]);
}

/** @throws CheckError `PERMISSION_DENIED` when the signer is not the owner; `NOT_SUPPORTED` if there is no owner. */
export async function checkOwner(contract: ScoreContract, options: ReadOptions = {}): Promise<void> {
  const signer = requireSigner(contract);
  const { owner } = await requireControl(contract, options);
  if (owner === signer) return;
  throw denied(`${signer} is not the owner of ${contract.identity.address}: ${owner} is.`, [
    "Sign with the owner's key.",
  ]);
}

/** @throws CheckError `PERMISSION_DENIED` when ownership was not offered to the signer; `NOT_SUPPORTED`. */
export async function checkOffered(contract: ScoreContract, options: ReadOptions = {}): Promise<void> {
  const signer = requireSigner(contract);
  const { owner, pendingOwner } = await requireControl(contract, options);
  if (pendingOwner === signer) return;
  const offered = pendingOwner === undefined ? "to nobody" : `to ${pendingOwner}`;
  throw denied(`the ownership of ${contract.identity.address} is offered ${offered}, not to ${signer}.`, [
    { code: "offer-ownership", owner, account: signer, text: `The owner, ${owner}, can offer it.` },
  ]);
}

/** Returns who controls the contract. @throws CheckError `NOT_SUPPORTED` for a reference contract, which has no owner. */
export async function requireControl(contract: ScoreContract, options: ReadOptions = {}): Promise<ContractControl> {
  const control = await contract.getControl(options);
  if (control !== undefined) return control;
  throw notSupported(contract, "no owner");
}

/** Returns the error for something that a reference contract does not have. @param missing - For example `no owner`. */
export function notSupported(contract: ScoreContract, missing: string, ...hints: readonly Hint[]): CheckError {
  const { vm, address } = contract.identity;
  const text =
    "Replace its code with that of the vipscore contract, or deploy a new contract if the code cannot be replaced.";
  return new CheckError(`the contract at ${address} is a reference contract, which has ${missing}`, {
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

function denied(message: string, metaMessages: readonly (string | Hint)[]): CheckError {
  return new CheckError(message, { code: "PERMISSION_DENIED", metaMessages });
}

/** Returns whether the account may finalize stages: the finalizer, or any member if no finalizer is named. */
export function mayFinalize(account: Account, isMember: boolean, control: ContractControl | undefined): boolean {
  return control?.finalizer === undefined ? isMember : control.finalizer === account;
}
