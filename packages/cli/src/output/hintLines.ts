import type { Hint, InputIssue, Vm } from "@vipscore/core";
import type { VipError } from "@vipscore/core/errors";
import { rollups } from "../rollup/rollups.ts";

/** Returns the lines that an error adds to its message: its hints name the commands to run. */
export function hintLines({ advice }: VipError): readonly string[] {
  return advice.map((line) => (typeof line === "string" ? line : hintText(line)));
}

/** Hints whose texts name nothing of the error. */
const texts: Readonly<Partial<Record<Hint["code"], string>>> = {
  "choose-bridge": "Name the one of this rollup with --bridge-id.",
  "complete-upgrade":
    "To complete it, run vipscore deploy --upgrade with the publisher's key, or let the publisher call complete_upgrade_script.",
  "drop-fraction": "use --floor to drop the fraction",
  "extra-accounts": "Push with --prune to set them to 0, or add them to the file. Nothing was sent.",
  finalize: "Finalize it first: vipscore finalize",
  "finalize-early":
    "Finalize once L1 has moved on; --early finalizes now, and the rest of the stage can then never be scored.",
  "name-admin":
    "Also name who may replace the code: the new owner, or none for permanently nobody (--admin <address> or --admin none).",
  "name-endpoint": "Or start your own minitiad and name its endpoint with --endpoint: REST on Move, RPC on Wasm.",
  "name-window": "Add blocks or times under [window], or name L1 with --l1-rest-url.",
  "no-packed": "Push without --packed.",
  "propose-contract": "To name another contract: vipscore proposal contract",
  "propose-registration": "To register it: vipscore proposal register",
  "reference-roles": "Deploy it without --owner and --finalizer, or build it on the vipscore contract.",
  "rewrite-proofs":
    "A claim of another version or on another chain fails. Write the file again with vipscore snapshot.",
  "set-first-stage": "A deployer sets the first one with set_init_stage; vipscore deploy does it.",
  "skip-stages": "Add their files of proofs, or name the stages with --stages if the account has no score in these.",
  spill: "Choose a larger disk with --spill, or divide its collections among several sources.",
  "start-local-node": "Remove the file and start the local node again; `vipscore node` writes it.",
  "use-jsonl": "use --format jsonl for one value on each line",
  "write-manifest": "`vipscore score run` writes a manifest beside its CSV, such as scores12.manifest.json.",
  "write-proofs": "Write one with vipscore snapshot --out.",
};

/** Returns an issue of an input in the command's own words. */
export function wordedIssue({ hint, ...issue }: InputIssue): InputIssue {
  if (hint === undefined) return issue;
  return { ...issue, message: issue.message.slice(0, -hint.text.length) + hintText(hint) };
}

function hintText(hint: Hint): string {
  const { code } = hint;
  if (code === "ask-manager") return managersText(hint);
  if (code === "replace-reference-contract") return replacementText(hint.vm);
  if (code === "name-contract") return "Name that contract with --contract, or remove chain from the manifest.";
  if (code === "add-member") return `An existing member can add it: vipscore members add ${hint.account}`;
  if (code === "offer-ownership") {
    return `The owner, ${hint.owner}, can offer it: vipscore owner offer ${hint.account}`;
  }
  if (code === "name-finalizer") {
    return `The owner, ${hint.owner}, can name another account: vipscore members finalizer <address>, or any for every member.`;
  }
  if (code === "challenge") return `${hint.text}: vipscore proposal challenge`;
  if (code === "claim-next") return `Its next stage is ${hint.stage}: name stages from it on with --stages.`;
  if (code === "name-bridge") {
    return `Name its bridge with --bridge-id, or check the contract. Known are ${hint.known}.`;
  }
  if (code === "expedite") {
    return `An expedited vote can be in time if it starts before ${hint.before}: --expedited. It needs a deposit of ${hint.deposit}.`;
  }
  if (code === "name-l1") return `Name the REST endpoint of ${hint.chainId} with --l1-rest-url.`;
  if (code === "name-vip") {
    return `It is known for ${hint.known}. Set it with --vip-address, VIP_ADDRESS or vipAddress.`;
  }
  if (code === "scale") {
    return `use --scale ${hint.scale} ${hint.unit === undefined ? "if the point starts a fraction" : `to count in ${hint.unit}`}`;
  }
  return texts[code] ?? hint.text;
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
