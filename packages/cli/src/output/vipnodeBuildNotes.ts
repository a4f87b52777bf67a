import type { VipnodeBuildProgress, VipnodeVm } from "@vipscore/localnet";
import { group } from "./numbers.ts";
import type { Output } from "./output.ts";

/** Packages between two lines where no line can be redrawn. */
const packagesPerLine = 200;

/** Tells how far the build of vipnode is: one line that is redrawn on a terminal, else a line every now and then. */
export function vipnodeBuildNotes(output: Output, vm: VipnodeVm): (progress: VipnodeBuildProgress) => void {
  let told = -1;
  const name = `vipnode-${vm}`;
  return ({ compiled, packages, current }) => {
    if (told < 0) output.note(`building ${name}, a local chain; the first time takes a few minutes`);
    const count = packages === 0 ? group(compiled) : `${group(compiled)} of ${group(packages)}`;
    output.showTransient(`building ${name}   ${count} packages   ${current}`);
    const line = Math.floor(compiled / packagesPerLine);
    if (line > told && !output.isTerminal && compiled > 0) output.note(`building ${name}   ${count} packages`);
    told = Math.max(told, line);
  };
}
