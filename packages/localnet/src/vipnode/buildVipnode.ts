import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { VipError } from "@vipscore/core";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";
import type { VipnodeVm } from "../localNode.ts";
import { compileVipnode, type CompileVipnodeOptions } from "./compileVipnode.ts";

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
      readonly sources: string;
      /** The compiler, as `go version` prints it. */
      readonly go: string;
    }
  | { readonly missing: string };

export async function findVipnodeBuild(): Promise<VipnodeBuild> {
  const sources = findVipnodeSources();
  if (sources === undefined) return { missing: "the package @vipscore/vipnode, which has its sources, is missing" };
  const go = await findGoToolchain();
  return "missing" in go ? go : { sources, go: go.version };
}

const run = promisify(execFile);

/** The oldest Go that builds vipnode, as in `go.mod`. */
const oldestMinor = 23;

/** Tools that build vipnode, as error messages name them. */
export const toolchainName = `Go 1.${oldestMinor} or newer and a C compiler`;

/** Finds Go and the C compiler on this machine: the version as `go version` prints it, or everything that is missing. */
async function findGoToolchain(): Promise<{ readonly version: string } | { readonly missing: string }> {
  const version = await outputOf("go", ["version"]);
  const [, major, minor] = /\bgo(\d+)\.(\d+)/.exec(version ?? "") ?? [];
  const isRecent = Number(major) > 1 || Number(minor) >= oldestMinor;
  const wanted = `Go 1.${oldestMinor} or newer`;
  const missing: string[] = [];
  if (version === undefined) missing.push(`${wanted} is missing`);
  else if (!isRecent) missing.push(`${wanted} is missing, this machine has ${version}`);
  // Like cgo: the compiler in CC, otherwise the default of this Go.
  const compiler = process.env["CC"] ?? (await outputOf("go", ["env", "CC"])) ?? "gcc";
  if ((await outputOf(compiler, ["--version"])) === undefined) missing.push(`a C compiler (${compiler}) is missing`);
  return version !== undefined && missing.length === 0 ? { version } : { missing: missing.join("; ") };
}

/** Returns what a program prints; undefined if it cannot run or fails. */
export async function outputOf(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return (await run(program, args, { env: nodeEnvironment(process.env) })).stdout.trim();
  } catch {
    return undefined;
  }
}

/** The inputs of a vipnode program: sources, pinned modules, and embedded files. */
const sourceFile = /\.(go|mv)$|^go\.(mod|sum)$|^package\.json$/;
/** Folders without inputs. */
const otherFolder = /^(node_modules|test|testdata|build|\..*)$/;

/**
 * Returns the folder with the Go sources of vipnode: the package `@vipscore/vipnode`, which is installed in a checkout.
 * Undefined if it is not installed.
 */
export function findVipnodeSources(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve("@vipscore/vipnode/package.json"));
  } catch {
    return undefined;
  }
}

/**
 * Returns a digest of everything that a build of vipnode depends on: its sources, the compiler's version and the
 * platform.
 */
export async function digestVipnodeSources(folder: string, toolchain: string): Promise<string> {
  const hash = createHash("sha256").update(toolchain);
  for (const path of await listSources(folder)) {
    const content = await readFile(path);
    hash.update(`\0${relative(folder, path)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}

async function listSources(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !otherFolder.test(entry.name)) found.push(...(await listSources(path)));
    // Test files are not part of the program.
    if (entry.isFile() && sourceFile.test(entry.name) && !entry.name.endsWith("_test.go")) found.push(path);
  }
  return found.sort();
}
