import type { Context } from "../../context.ts";
import { readVersions } from "../../rollup/readVersions.ts";
import { rollups } from "../../rollup/rollups.ts";
import type { Settings } from "../../settings/readSettings.ts";
import { firstSetting } from "../../settings/setting.ts";
import { ok, skipped, warning, type Finding } from "./finding.ts";

/** Compares the version of the node, at its CometBFT RPC endpoint, with the `minitiad` on PATH. */
export async function checkVersions(
  context: Context,
  { vm, endpoint }: Settings,
  rpcUrl: string | undefined,
): Promise<Finding> {
  const ofEndpoint = rollups[vm].endpoint.protocol === "RPC" ? endpoint : undefined;
  const named = firstSetting(["--rpc-url", rpcUrl], ["RPC_NODE_URL", context.io.env["RPC_NODE_URL"]]) ?? ofEndpoint;
  const { node, minitiad, comparison } = await readVersions(context, named?.value);
  if (node === undefined) {
    return skipped(
      "versions",
      "the node's version is unknown",
      "Name the rollup's CometBFT RPC endpoint with --rpc-url.",
    );
  }
  const runs = `the node runs ${node.data} ${node.version ?? "without a version"}`;
  if (minitiad === undefined) return ok("versions", `${runs}; no minitiad on PATH`);
  const text = `${runs}; the minitiad on PATH is ${minitiad.version ?? "without a version"}`;
  if (comparison !== "different") return ok("versions", text);
  return warning("versions", text, `Install minitiad ${node.version} before you sign with it.`);
}
