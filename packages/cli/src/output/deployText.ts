import { formatChecksummed } from "@vipscore/core";
import type { Deployed, DeployStep } from "../rollup/rollup.ts";
import { group } from "./numbers.ts";
import type { Output } from "./output.ts";

/** One step of a deployment for people. */
export function stepText({ status, what, hash, gasUsed }: DeployStep): string {
  if (status === "unchanged") return `there     ${what}`;
  return status === "sending"
    ? `sending   ${what}   (transaction ${hash})`
    : `done      ${what}   gas ${group(gasUsed ?? 0n)}`;
}

/** What was deployed, for people. */
export function deployedText(output: Output, deployed: Deployed): string {
  const { address, chainId, initStage, version, pendingOwner, transaction } = deployed;
  const contract = `${address} on chain ${chainId}, version ${version}, first stage ${initStage}`;
  const text =
    transaction === undefined
      ? `nothing to do: ${contract} is there already`
      : `${output.paint("green", "deployed")}  ${contract}   (block ${group(transaction.height)})`;
  if (pendingOwner === undefined) return text;
  return `${text}\nownership is offered to ${formatChecksummed(pendingOwner)}: it becomes the owner when it calls acceptOwnership()`;
}
