import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isObject } from "@vipscore/core/wire";
import type { VipnodeVm } from "../localNode.ts";

/** The package with vipnode's programs for this platform, or why it cannot be used. */
export type PrebuiltVipnode =
  /** Returns the path of the program for a VM. */
  { readonly program: (vm: VipnodeVm) => string } | { readonly missing: string };

/** Name of the package with vipnode's programs for this platform, e.g. `@vipscore/vipnode-linux-x64`. */
export const prebuiltName = `@vipscore/vipnode-${process.platform}-${process.arch}`;

/** The version of this package, which the prebuilt programs have too. */
export const localnetVersion = versionIn(new URL("../../package.json", import.meta.url));

/**
 * Finds the prebuilt programs of vipnode for this platform. A package of another version does not count: its programs may
 * understand other options.
 *
 * @param from The module, or its URL, that the package is resolved from. Default: this one.
 */
export function findPrebuiltVipnode(from: string = import.meta.url): PrebuiltVipnode {
  let file: string;
  try {
    file = createRequire(from).resolve(`${prebuiltName}/package.json`);
  } catch {
    return { missing: `the package ${prebuiltName} is missing` };
  }
  const version = versionIn(file);
  if (version === localnetVersion) return { program: (vm) => join(dirname(file), "bin", `vipnode-${vm}`) };
  return { missing: `${prebuiltName} is of version ${version} instead of ${localnetVersion}` };
}

function versionIn(manifest: string | URL): string {
  const fields: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  return isObject(fields) && typeof fields["version"] === "string" ? fields["version"] : "unknown";
}
