import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { VipError } from "@vipscore/core";
import { isObject } from "@vipscore/core/wire";
import type { VipnodeVm } from "../localNode.ts";
import {
  buildVipnodesFrom,
  findVipnodeBuild,
  outputOf,
  toolchainName,
  type BuildVipnodeOptions,
} from "./buildVipnode.ts";
import type { CompileVipnodeOptions } from "./compileVipnode.ts";

/**
 * Returns the path of the program `vipnode-move` or `vipnode-wasm`. Where the Go sources of `@vipscore/vipnode`, Go and a C
 * compiler are present, it is built from the sources ({@link buildVipnode}), because a checkout may have changed them.
 * Otherwise it is the one of the prebuilt package, e.g. `@vipscore/vipnode-linux-x64`, or of the same version on PATH.
 */
export async function prepareVipnode({ vm, ...options }: BuildVipnodeOptions): Promise<string> {
  const [program = ""] = await prepareVipnodes({ ...options, vms: [vm] });
  return program;
}

/**
 * Returns programs that start chains: built from the sources where these and Go are installed, otherwise prebuilt.
 *
 * @returns the paths of the programs in the order of `vms`; the names of those on PATH.
 * @throws CONFIG_INVALID if one can neither be built nor is prebuilt, or the build fails; the signal's reason when aborted.
 */
export async function prepareVipnodes(options: CompileVipnodeOptions): Promise<readonly string[]> {
  const build = await findVipnodeBuild();
  if (!("missing" in build)) return buildVipnodesFrom(build, options);
  const prebuilt = findPrebuiltVipnode();
  if (!("missing" in prebuilt)) return options.vms.map(prebuilt.program);
  const names = options.vms.map((vm) => `vipnode-${vm}`);
  const onPath = await Promise.all(names.map((name) => outputOf(name, ["version"])));
  if (onPath.every((text, index) => text?.startsWith(`${names[index]} ${localnetVersion}\n`) === true)) return names;
  const chains = names.join(" and ");
  throw new VipError(`${chains} cannot run: ${prebuilt.missing}, and it cannot be built: ${build.missing}`, {
    code: "CONFIG_INVALID",
    metaMessages: [
      `Install ${prebuiltName} ${localnetVersion}, or have its programs on PATH, or in a checkout of vipscore ${toolchainName}.`,
      { code: "name-endpoint", text: "Or start your own minitiad and name its endpoint: REST on Move, RPC on Wasm." },
    ],
  });
}

/** Name of the package with vipnode's programs for this platform, e.g. `@vipscore/vipnode-linux-x64`. */
export const prebuiltName = `@vipscore/vipnode-${process.platform}-${process.arch}`;

/** The version of this package, which the prebuilt programs have too. */
export const localnetVersion = versionIn(new URL("../../package.json", import.meta.url));

/**
 * Finds the prebuilt programs of vipnode for this platform. A package of another version does not count: its programs may
 * understand other options.
 */
export function findPrebuiltVipnode(
  from: string = import.meta.url,
): { readonly program: (vm: VipnodeVm) => string } | { readonly missing: string } {
  let file: string;
  try {
    file = createRequire(from).resolve(`${prebuiltName}/package.json`);
  } catch {
    return { missing: `the package ${prebuiltName} is missing` };
  }
  const version = versionIn(file);
  if (version === localnetVersion) return { program: (vm) => join(dirname(file), "bin", `vipnode-${vm}`) };
  return { missing: `${prebuiltName} has version ${version} instead of ${localnetVersion}` };
}

function versionIn(manifest: string | URL): string {
  const fields: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  return isObject(fields) && typeof fields["version"] === "string" ? fields["version"] : "unknown";
}
