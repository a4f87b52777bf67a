import { group } from "@vipscore/core/values";
import type { VipnodeVm } from "../localNode.ts";
import type { VipnodeBuildProgress } from "./compileVipnode.ts";

/** Packages between two lines if lines cannot be redrawn. */
const packagesPerLine = 200;

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
 * Returns a function that shows the progress of the vipnode build: on a terminal as one redrawn line, otherwise as a line every
 * 200 packages.
 */
export function vipnodeBuildNotes(
  vms: readonly VipnodeVm[],
  screen: BuildScreen,
): (progress: VipnodeBuildProgress) => void {
  const name = vms.map((vm) => `vipnode-${vm}`).join(" and ");
  let printed: number | undefined;
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
    const line = Math.floor(compiled / packagesPerLine);
    const status = `building ${name}   ${group(compiled)} of ${group(packages)} packages`;
    screen.showTransient(`${status}   ${current}`);
    if (line > printed && !screen.isTerminal) screen.note(status);
    printed = Math.max(printed, line);
  };
}
