import { formatChecksummed, type ScoreContract } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import { controlPairs } from "../../output/controlText.ts";
import { replacementText } from "../../output/hintLines.ts";
import { describeVersion, lackingFeatures } from "../../output/lackingFeatures.ts";
import { action, ok, warning, type Finding } from "./finding.ts";

type At = { readonly height: bigint; readonly signal: AbortSignal };

/** Reports which contract it is, who may write to it, and who can still change it. */
export async function checkContract(contract: ScoreContract, at: At): Promise<readonly Finding[]> {
  const { vm, address } = contract.identity;
  const { version, features } = contract;
  if (!Object.values(features).some(Boolean)) {
    return [
      warning(
        "contract",
        `${address} has only the published interface: finalize cannot expect a total, and members cannot be listed`,
        replacementText(vm),
      ),
    ];
  }
  const [members = [], control] = await Promise.all([contract.getMembers(at), contract.getControl(at)]);
  const listed = `${count(members.length, "member")}: ${members.map(formatChecksummed).join(", ")}`;
  const text = `${address}, vipscore contract ${describeVersion(version, features)}, ${listed}`;
  const isComplete = lackingFeatures(features).length === 0;
  const findings: Finding[] = [
    isComplete ? ok("contract", text) : warning("contract", text, "docs/contracts.md shows what each of these is for."),
  ];
  const pairs = controlPairs(contract.identity, control);
  findings.push(ok("control", pairs.map((pair) => pair.join(": ")).join("; ")));
  if (control === undefined) return findings;
  const { pendingOwner, codeAdmin, finalizer } = control;
  if (pendingOwner !== undefined) {
    findings.push(
      action(
        "control",
        `the ownership is offered to ${formatChecksummed(pendingOwner)}, who has not accepted it`,
        "With that account: vipscore owner accept",
      ),
    );
  }
  if (codeAdmin !== undefined) {
    findings.push(
      warning(
        "control",
        `${codeAdmin === "implementation" ? "an account that the proxy's implementation names" : formatChecksummed(codeAdmin)} can replace the contract's code, and with it every rule`,
        "docs/security.md shows how to end that.",
      ),
    );
  }
  if (finalizer === undefined) {
    findings.push(
      warning(
        "control",
        "every member can finalize a stage, which cannot be undone",
        "Name one account, best a multisig or a device: vipscore members finalizer <address>",
      ),
    );
  }
  return findings;
}
