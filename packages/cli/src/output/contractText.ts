import { formatChecksummed, type ContractControl, type ContractFeatures, type ContractIdentity } from "@vipscore/core";
import { rollups } from "../rollup/rollups.ts";

/** Returns who can change what, as names and texts. */
export function controlPairs(
  { vm, address }: ContractIdentity,
  control: ContractControl | undefined,
): readonly (readonly [name: string, text: string])[] {
  if (control === undefined) return [["owner", "a reference contract has none"]];
  const { owner, pendingOwner, finalizer, othersManage, codeAdmin } = control;
  const offered = pendingOwner === undefined ? "" : `, the ownership is offered to ${formatChecksummed(pendingOwner)}`;
  const { otherManagers, codeAdmin: kind } = rollups[vm];
  const others = otherManagers === "publisher" ? `the module's publisher ${address}` : "the members";
  const admin = kind === "publisher" ? "the module's publisher" : "its admin";
  const replacer =
    codeAdmin === undefined
      ? "nobody"
      : codeAdmin === "implementation"
        ? "an account that the implementation of this proxy names"
        : `${admin} ${formatChecksummed(codeAdmin)}`;
  return [
    ["owner", `${formatChecksummed(owner)}${offered}`],
    ["finalizer", finalizer === undefined ? "any member" : `${formatChecksummed(finalizer)} alone`],
    ["managers", `the owner ${othersManage ? `and ${others}` : "alone"} can add and remove members`],
    ["code", `${replacer} can replace it`],
  ];
}

/** Returns the same for `--json`; null for a reference contract. */
export function controlJson(control: ContractControl | undefined): object | null {
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

/** Describes a contract by its version and what it lacks. */
export function describeVersion(version: string | undefined, features: ContractFeatures): string {
  const lacking = lackingFeatures(features);
  const without = lacking.length === 0 ? "" : `, without ${lacking.join(", ")}`;
  return `${version ?? "of an unknown version"}${without}`;
}
