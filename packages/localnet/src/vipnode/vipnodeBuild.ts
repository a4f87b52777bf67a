import { findGoToolchain } from "./goToolchain.ts";
import { findVipnodeSources } from "./vipnodeSources.ts";

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
