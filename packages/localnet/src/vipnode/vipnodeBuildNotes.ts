import type { VipnodeVm } from "../localNode.ts";
import type { VipnodeBuildProgress } from "./compileVipnode.ts";

/** Packages between two lines where no line can be redrawn. */
const packagesPerLine = 200;
/** Packages after which the time that is left can be estimated. */
const packagesToEstimate = 100;

const grouped = new Intl.NumberFormat("en-US");

/** Where the progress of a build is shown. */
export interface BuildScreen {
  /** True when a line can be redrawn. */
  readonly isTerminal: boolean;
  /** Prints a line. */
  note(text: string): void;
  /** Shows a line that the next one replaces; does nothing where no line can be redrawn. */
  showTransient(text: string): void;
}

/**
 * Returns a function that shows how far the build of vipnode is and how long it will take: in one line that is redrawn on a
 * terminal, else in a line every 200 packages.
 */
export function vipnodeBuildNotes(
  vms: readonly VipnodeVm[],
  screen: BuildScreen,
): (progress: VipnodeBuildProgress) => void {
  const name = vms.map((vm) => `vipnode-${vm}`).join(" and ");
  let printed = -1;
  let startedAt: number | undefined;
  return ({ compiled, packages, current }) => {
    if (printed < 0) screen.note(`building ${name}; the first build takes some minutes`);
    if (packages === 0) {
      printed = Math.max(printed, 0);
      screen.showTransient(`building ${name}   downloading ${current}`);
      return;
    }
    startedAt ??= performance.now();
    const line = Math.floor(compiled / packagesPerLine);
    const left = timeLeft(performance.now() - startedAt, compiled, packages);
    const status = `building ${name}   ${grouped.format(compiled)} of ${grouped.format(packages)} packages${left}`;
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
