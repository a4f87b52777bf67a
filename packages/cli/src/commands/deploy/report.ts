import { formatChecksummed } from "@vipscore/core";
import { group } from "@vipscore/core/values";
import { describeVersion } from "../../output/lackingFeatures.ts";
import type { Output } from "../../output/output.ts";
import { verificationJson } from "../../output/verificationJson.ts";
import type { Deployed, DeployStep } from "../../rollup/rollup.ts";
import type { PreparedDeploy } from "./prepare.ts";
import type { CopiedStage, OpenStage } from "./takeOver.ts";

/** Returns one step of a deployment for people. */
export function stepText({ status, what, hash, gasUsed }: DeployStep): string {
  if (status === "unchanged") return `unchanged ${what}`;
  return status === "sending"
    ? `sending   ${what}   (transaction ${hash})`
    : `done      ${what}   gas ${group(gasUsed ?? 0n)}`;
}

/** Describes the deployed contract for people. `acceptCall` is the wallet's call to accept the ownership. */
export function deployedText(output: Output, deployed: Deployed, acceptCall: string): string {
  const { address, chainId, initStage, version, features, finalizer, pendingOwner, transaction } = deployed;
  const contract = `${address} on chain ${chainId}, version ${describeVersion(version, features)}, first stage ${initStage}`;
  const text =
    transaction === undefined
      ? `nothing to do: ${contract} already exists`
      : `${output.paint("green", "deployed")}  ${contract}   (block ${group(transaction.height)})`;
  const lines = [text];
  if (finalizer !== undefined) lines.push(`only ${formatChecksummed(finalizer)} can finalize stages`);
  if (pendingOwner !== undefined) {
    lines.push(
      `ownership is offered to ${formatChecksummed(pendingOwner)}, which accepts it with \`vipscore owner accept\` or by calling ${acceptCall}`,
    );
  }
  return lines.join("\n");
}

/** Returns the report for `--json`. */
export function deployJson(
  { settings, chainId, old, request }: PreparedDeploy,
  deployed: Deployed,
  copied: CopiedStage | undefined,
): object {
  const { address, version, features, members, finalizer, owner, pendingOwner, transaction, more } = deployed;
  return {
    command: "deploy",
    contract: { vm: settings.vm, chainId, address },
    version: version ?? null,
    features,
    initStage: request.initStage,
    members,
    finalizer: finalizer ?? null,
    owner: owner ?? null,
    pendingOwner: pendingOwner ?? null,
    transaction: transaction ?? null,
    ...more,
    ...(old && copied && { from: takenOverJson(old, copied) }),
  };
}

function takenOverJson({ contract, height }: OpenStage, copied: CopiedStage): object {
  const { transactions, verification, isOutdated } = copied;
  return {
    contract: contract.identity,
    height,
    transactions,
    verification: verificationJson(verification),
    isOutdated,
  };
}
