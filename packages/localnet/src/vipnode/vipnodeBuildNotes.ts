import { group } from "@vipscore/core/values";
import type { VipnodeVm } from "../localNode.ts";
import type { VipnodeBuildProgress } from "./compileVipnode.ts";

/** Packages between two lines if lines cannot be redrawn. */
const packagesPerLine = 200;
/** Packages after which the remaining time can be estimated. */
const packagesToEstimate = 100;

/** Output for the progress of a build. */
export interface BuildScreen {
  /** True if lines can be redrawn. */
  readonly isTerminal: boolean;
  /** Prints a line. */
  note(text: string): void;
  /** Shows a line that the next one replaces; does nothing if lines cannot be redrawn. */
  showTransient(text: string): void;
}

/**
 * Returns a function that shows the progress and remaining time of the vipnode build: on a terminal as one redrawn
 * line, otherwise as a line every 200 packages.
 */
export function vipnodeBuildNotes(
  vms: readonly VipnodeVm[],
  screen: BuildScreen,
): (progress: VipnodeBuildProgress) => void {
  const name = vms.map((vm) => `vipnode-${vm}`).join(" and ");
  let printed: number | undefined;
  let startedAt: number | undefined;
  return ({ compiled, packages, current }) => {
    if (packages === 0) {
      if (printed === undefined) {
        screen.note(`downloading the Go modules of ${name}; then the build, which takes a few minutes`);
      }
      printed ??= 0;
      screen.showTransient(`building ${name}   downloading ${current}`);
      return;
    }
    if (printed === undefined) screen.note(`building ${name}; the first build takes a few minutes`);
    printed ??= 0;
    startedAt ??= performance.now();
    const line = Math.floor(compiled / packagesPerLine);
    const left = timeLeft(performance.now() - startedAt, compiled, packages);
    const status = `building ${name}   ${group(compiled)} of ${group(packages)} packages${left}`;
    screen.showTransient(`${status}   ${current}`);
    if (line > printed && !screen.isTerminal) screen.note(status);
    printed = Math.max(printed, line);
  };
}

function timeLeft(elapsedMs: number, compiled: number, packages: number): string {
  if (compiled < packagesToEstimate) return "";
  const seconds = Math.ceil(((elapsedMs / compiled) * (packages - compiled)) / 1000);
  return `   about ${seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`} left`;
}
