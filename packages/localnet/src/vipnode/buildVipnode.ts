import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { VipError } from "@vipscore/core";
import type { VipnodeVm } from "../localNode.ts";
import { compileVipnode, type CompileVipnodeOptions } from "./compileVipnode.ts";
import { findGoToolchain, toolchainName } from "./goToolchain.ts";
import { digestVipnodeSources, findVipnodeSources } from "./vipnodeSources.ts";

/** A build, or the start of a chain that needs one. */
export interface BuildVipnodeOptions extends Pick<CompileVipnodeOptions, "onProgress" | "signal"> {
  /** The VM of the chain: each has its own program. */
  readonly vm: VipnodeVm;
}

/** Folder of the builds, below the sources. */
const buildFolder = ".build";

/** The last build of this process; two concurrent builds would compile their shared packages twice. */
let lastBuild: Promise<unknown> = Promise.resolve();

/**
 * Returns the path of the program `vipnode-move` or `vipnode-wasm`, built from the Go sources of `@vipscore/vipnode`.
 * Builds it if the sources, the compiler or the platform have changed since the last build.
 *
 * @throws CONFIG_INVALID if the sources, Go or the C compiler are missing, or the build fails; the signal's reason when
 * aborted.
 */
export async function buildVipnode({ vm, ...options }: BuildVipnodeOptions): Promise<string> {
  const [program = ""] = await buildVipnodes({ ...options, vms: [vm] });
  return program;
}

/**
 * Like {@link buildVipnode} for several VMs, compiling shared packages once.
 *
 * @returns the paths of the programs in the order of `vms`.
 */
export async function buildVipnodes(options: CompileVipnodeOptions): Promise<readonly string[]> {
  const from = await findVipnodeBuild();
  if (!("missing" in from)) return buildVipnodesFrom(from, options);
  throw new VipError(`vipnode cannot be built: ${from.missing}`, {
    code: "CONFIG_INVALID",
    metaMessages: [`In a checkout of vipscore, install ${toolchainName}.`],
  });
}

/** Like `buildVipnodes`, from sources and with a compiler that were found before. */
export function buildVipnodesFrom(
  from: Exclude<VipnodeBuild, { readonly missing: string }>,
  options: CompileVipnodeOptions,
): Promise<readonly string[]> {
  const build = lastBuild.then(() => buildMissing(from, options));
  lastBuild = build.catch(() => undefined);
  return build;
}

async function buildMissing(
  { sources, go }: { readonly sources: string; readonly go: string },
  options: CompileVipnodeOptions,
): Promise<readonly string[]> {
  const digest = await digestVipnodeSources(sources, `${go} ${process.platform} ${process.arch}`);
  const builds = join(sources, buildFolder);
  const programs = options.vms.map((vm) => ({ vm, path: join(builds, `vipnode-${vm}-${digest}`) }));
  const missing = programs.filter(({ path }) => !existsSync(path));
  if (missing.length > 0) {
    await mkdir(builds, { recursive: true });
    const unfinished = await mkdtemp(join(builds, "unfinished-"));
    try {
      await compileVipnode(sources, unfinished, { ...options, vms: missing.map(({ vm }) => vm) });
      // Concurrent builds produce equal programs: the last one replaces the others.
      for (const { vm, path } of missing) await rename(join(unfinished, `vipnode-${vm}`), path);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
    for (const { vm } of missing) await removeOlder(builds, vm, digest);
  }
  return programs.map(({ path }) => path);
}

/** Removes the programs of earlier sources, about 60 MB each. A running program keeps its file until it exits. */
async function removeOlder(builds: string, vm: VipnodeVm, digest: string): Promise<void> {
  const names = await readdir(builds);
  const built = new RegExp(`^vipnode-${vm}-(?!${digest})[0-9a-f]{16}$`);
  await Promise.all(names.filter((name) => built.test(name)).map((name) => rm(join(builds, name), { force: true })));
}

/** Sources and compiler of vipnode, or the reason why it cannot be built. */
export type VipnodeBuild =
  | {
      /** Folder of the Go sources. */
      readonly sources: string;
      /** The compiler, as `go version` prints it. */
      readonly go: string;
    }
  | { readonly missing: string };

/** Finds the sources of vipnode and the compiler on this machine. */
export async function findVipnodeBuild(): Promise<VipnodeBuild> {
  const sources = findVipnodeSources();
  if (sources === undefined) return { missing: "the package @vipscore/vipnode, which has its sources, is missing" };
  const go = await findGoToolchain();
  return "missing" in go ? go : { sources, go: go.version };
}
