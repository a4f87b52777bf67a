import type { Hint, Vm } from "@vipscore/core";
import type { VipError } from "@vipscore/core/errors";
import { rollups } from "../rollup/rollups.ts";

/** Returns the lines that an error adds to its message: its hints name the commands to run. */
export function hintLines({ advice }: VipError): readonly string[] {
  return advice.map((line) => (typeof line === "string" ? line : hintText(line)));
}

function hintText(hint: Hint): string {
  const { code } = hint;
  if (code === "ask-manager") return managersText(hint);
  if (code === "replace-reference-contract") return replacementText(hint.vm);
  if (code === "complete-upgrade") {
    return "To complete it, run vipscore deploy --upgrade with the publisher's key, or let the publisher call complete_upgrade_script.";
  }
  if (code === "set-first-stage") return "A deployer sets the first one with set_init_stage; vipscore deploy does it.";
  if (code === "name-contract") return "Name that contract with --contract, or remove chain from the manifest.";
  if (code === "add-member") return `An existing member can add it: vipscore members add ${hint.account}`;
  if (code === "offer-ownership") {
    return `The owner, ${hint.owner}, can offer it: vipscore owner offer ${hint.account}`;
  }
  return `The owner, ${hint.owner}, can name another account: vipscore members finalizer <address>, or any for every member.`;
}

/** Returns how a reference contract is replaced by one of this project. */
export function replacementText(vm: Vm): string {
  return rollups[vm].codeAdmin === "nobody"
    ? "Its code cannot be replaced. Deploy a new contract: vipscore deploy --from <address> takes over the open stage."
    : "If the contract can be upgraded, run vipscore deploy --upgrade.";
}

function managersText({ vm, address, owner }: Hint & { readonly code: "ask-manager" }): string {
  const isPublisher = rollups[vm].otherManagers === "publisher";
  if (owner === undefined) return isPublisher ? "The module's publisher can." : "The contract's members can.";
  const others = isPublisher ? `the module's publisher, ${address}` : "the contract's members";
  return `The owner, ${owner}, and ${others} can.`;
}
