import type { VipnodeBuildProgress, VipnodeVm } from "@vipscore/localnet";
import { group } from "./numbers.ts";
import type { Output } from "./output.ts";
import { formatDuration } from "./times.ts";

/** Packages between two lines where no line can be redrawn. */
const packagesPerLine = 200;
/** Packages after which the time that is left can be estimated. */
const packagesToEstimate = 100;

/**
 * Returns a function that shows how far the build of vipnode is and how long it will take: in one line that is redrawn on a
 * terminal, else in a line every 200 packages.
 */
export function vipnodeBuildNotes(output: Output, vms: readonly VipnodeVm[]): (progress: VipnodeBuildProgress) => void {
  const name = vms.map((vm) => `vipnode-${vm}`).join(" and ");
  let printed = -1;
  let startedAt: number | undefined;
  return ({ compiled, packages, current }) => {
    if (printed < 0) output.note(`building ${name}; the first build takes some minutes`);
    if (packages === 0) {
      printed = Math.max(printed, 0);
      output.showTransient(`building ${name}   downloading ${current}`);
      return;
    }
    startedAt ??= performance.now();
    const line = Math.floor(compiled / packagesPerLine);
    const left = timeLeft(performance.now() - startedAt, compiled, packages);
    const status = `building ${name}   ${group(compiled)} of ${group(packages)} packages${left}`;
    output.showTransient(`${status}   ${current}`);
    if (line > printed && !output.isTerminal) output.note(status);
    printed = Math.max(printed, line);
  };
}

function timeLeft(elapsedMs: number, compiled: number, packages: number): string {
  if (compiled < packagesToEstimate) return "";
  const leftMs = (elapsedMs / compiled) * (packages - compiled);
  return `   about ${formatDuration(BigInt(Math.ceil(leftMs / 1000)))} left`;
}
