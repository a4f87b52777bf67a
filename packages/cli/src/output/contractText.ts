import {
  formatBech32,
  formatChecksummed,
  type Account,
  type ContractControl,
  type ContractFeatures,
  type ContractIdentity,
  type Vm,
} from "@vipscore/core";
import { rollups } from "../rollup/rollups.ts";

/** Returns an account for people, as the tools of the VM spell it. */
export function shownAccount(account: Account, vm: Vm): string {
  return rollups[vm].addressForm === "bech32" ? formatBech32(account) : formatChecksummed(account);
}

export function controlPairs(
  { vm, address }: ContractIdentity,
  control: ContractControl | undefined,
): readonly (readonly [name: string, text: string])[] {
  if (control === undefined) return [["owner", "a reference contract has none"]];
  const { owner, pendingOwner, finalizer, othersManage } = control;
  const offered = pendingOwner === undefined ? "" : `, the ownership is offered to ${shownAccount(pendingOwner, vm)}`;
  const others = rollups[vm].otherManagers === "publisher" ? `the module's publisher ${address}` : "the members";
  return [
    ["owner", `${shownAccount(owner, vm)}${offered}`],
    ["finalizer", finalizer === undefined ? "any member" : `${shownAccount(finalizer, vm)} alone`],
    ["managers", `the owner ${othersManage ? `and ${others}` : "alone"} can add and remove members`],
    ["code", `${replacerOf(vm, control)} can replace it`],
  ];
}

function replacerOf(vm: Vm, { codeAdmin }: ContractControl): string {
  if (codeAdmin === undefined) return "nobody";
  if (codeAdmin === "implementation") return "an account that the implementation of this proxy names";
  const admin = rollups[vm].codeAdmin === "publisher" ? "the module's publisher" : "its admin";
  return `${admin} ${shownAccount(codeAdmin, vm)}`;
}

/** Returns what can still change a finalized stage, which is new code alone; undefined if nobody can replace the code. */
export function finalityWarning({ vm }: ContractIdentity, control: ContractControl | undefined): string | undefined {
  if (control === undefined) {
    return rollups[vm].codeAdmin === "nobody"
      ? undefined
      : "the stage is finalized, but it is unknown who can replace the code of this reference contract, and so its scores";
  }
  if (control.codeAdmin === undefined) return undefined;
  return `the stage is finalized, but ${replacerOf(vm, control)} can replace the contract's code, and so its scores`;
}

/** Returns the same for `--json`; null for a reference contract. */
export function controlJson(control: ContractControl | undefined) {
  if (control === undefined) return null;
  const { owner, pendingOwner, finalizer, othersManage, codeAdmin } = control;
  return { owner, pendingOwner, finalizer, othersManage, codeAdmin };
}

/** Returns what a contract lacks of the vipscore contract, for people; empty for one that lacks nothing. */
export function lackingFeatures({ checkedFinalize, packed, roles }: ContractFeatures): readonly string[] {
  return [
    ...(checkedFinalize ? [] : ["checked finalize"]),
    ...(packed ? [] : ["packed entry point"]),
    ...(roles ? [] : ["owner and finalizer"]),
  ];
}

export function describeVersion(version: string | undefined, features: ContractFeatures): string {
  const lacking = lackingFeatures(features);
  const without = lacking.length === 0 ? "" : `, without ${lacking.join(", ")}`;
  return `${version ?? "of an unknown version"}${without}`;
}
