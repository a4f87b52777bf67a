import { VipError } from "@vipscore/core";
import type { VipnodeVm } from "../localNode.ts";
import { runGo } from "./runGo.ts";

/**
 * Without the checkout's path: another checkout finds the compiled packages in Go's cache. Without debug information: compiling
 * takes a tenth less. The tests of vipnode use the same flags, so that they share the result.
 */
const flags = ["-trimpath", "-gcflags=all=-dwarf=false", "-ldflags=-s -w"];

/** Progress of a build. */
export interface VipnodeBuildProgress {
  /** Packages that the compiler has started. */
  readonly compiled: number;
  /** Packages that the programs need; 0 while modules are downloaded. Already compiled packages are never reported. */
  readonly packages: number;
  /** The package or module in progress. */
  readonly current: string;
}

export interface CompileVipnodeOptions {
  /** The VMs of the chains; there is one program for each. */
  readonly vms: readonly VipnodeVm[];
  /** Called for each module that is downloaded and each package that is compiled. */
  readonly onProgress?: (progress: VipnodeBuildProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * Compiles the programs `vipnode-<vm>` from one folder into another. A single compiler run builds them all, because
 * they share most packages.
 *
 * @throws CONFIG_INVALID with the end of the compiler's output; the signal's reason when aborted.
 */
export async function compileVipnode(folder: string, output: string, options: CompileVipnodeOptions): Promise<void> {
  const { vms, onProgress, signal } = options;
  const names = vms.map((vm) => `vipnode-${vm}`);
  const sources = names.map((name) => `./cmd/${name}`);
  let compiled = 0;
  let packages = 0;
  const onLine = (line: string): void => {
    const module = /^go: downloading (\S+)/.exec(line)?.[1];
    if (module === undefined) compiled = Math.min(compiled + 1, packages);
    onProgress?.({ compiled, packages, current: module ?? line });
  };
  const steps = { folder, onLine, signal };
  // This also downloads the modules.
  const listed = await runGo(["list", "-deps", ...sources], steps);
  if (listed.status === 0) packages = listed.stdout.split("\n").length - 1;
  compiled = 0;
  const built = await runGo(["build", "-v", ...flags, "-o", `${output}/`, ...sources], steps);
  if (built.status === 0) return;
  throw new VipError(`the build of ${names.join(" and ")} failed with status ${built.status}`, {
    code: "CONFIG_INVALID",
    details: built.stderr,
    metaMessages: [built.stderr.trim()],
  });
}
