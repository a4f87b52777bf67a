import {
  compareVersions,
  readLocalMinitiadVersion,
  readNodeVersion,
  type LocalMinitiad,
  type NodeVersion,
} from "@vipscore/l1";
import { nodeEnvironment } from "@vipscore/localnet/nodeEnvironment";
import type { Context } from "../context.ts";
import type { Settings } from "../settings/readSettings.ts";
import { ok, skipped, warning, type Finding } from "./finding.ts";

/** Compares the node's version with the `minitiad` on PATH. */
export async function checkVersions({ io, scrubber }: Context, { vm, endpoint }: Settings): Promise<Finding> {
  // Only a Wasm rollup's endpoint is the RPC that knows the version.
  const rpcUrl = io.env["RPC_NODE_URL"] ?? (vm === "wasm" ? endpoint.value : undefined);
  if (rpcUrl === undefined) {
    return skipped(
      "versions",
      "the node's version is unknown",
      "Set the rollup's CometBFT RPC endpoint with RPC_NODE_URL.",
    );
  }
  scrubber.addUrl(rpcUrl);
  const [node, minitiad] = await Promise.all([
    readNodeVersion({ rpcUrl, signal: io.signal }),
    readLocalMinitiadVersion(nodeEnvironment(io.env)),
  ]);
  return versionFinding(node, minitiad);
}

function versionFinding({ data, version }: NodeVersion, minitiad: LocalMinitiad | undefined): Finding {
  const node = `the node runs ${data} ${version ?? "without a version"}`;
  if (minitiad === undefined) return ok("versions", `${node}; no minitiad on PATH`);
  // A development node is not a minitiad, so its version cannot be compared.
  const comparable = data.startsWith("vipnode-") ? undefined : version;
  const local = `the minitiad on PATH is ${minitiad.version ?? "without a version"}`;
  if (compareVersions(comparable, minitiad.version) !== "different") return ok("versions", `${node}; ${local}`);
  return warning("versions", `${node}; ${local}`, `Install minitiad ${version} before you sign with it.`);
}
