import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";
import {
  compareVersions,
  readLocalMinitiadVersion,
  readNodeVersion,
  type LocalMinitiad,
  type NodeVersion,
  type VersionComparison,
} from "@vipscore/l1";
import type { Context } from "../context.ts";

/** The versions that must be the same, because another `minitiad` may sign what the rollup does not understand. */
export interface Versions {
  /** Undefined without an endpoint. */
  readonly node: NodeVersion | undefined;
  /** Undefined if PATH has no `minitiad`. */
  readonly minitiad: LocalMinitiad | undefined;
  readonly comparison: VersionComparison;
}

/**
 * Reads the versions of the rollup's node, at its CometBFT RPC endpoint, and of the `minitiad` on PATH.
 *
 * @throws NodeError.
 */
export async function readVersions({ io, scrubber }: Context, rpcUrl: string | undefined): Promise<Versions> {
  if (rpcUrl !== undefined) scrubber.addUrl(rpcUrl);
  const [node, minitiad] = await Promise.all([
    rpcUrl === undefined ? undefined : readNodeVersion({ rpcUrl, signal: io.signal }),
    readLocalMinitiadVersion(nodeEnvironment(io.env)),
  ]);
  // A development node is not minitiad, so its version cannot be compared.
  const comparable = node?.data.startsWith("vipnode-") === true ? undefined : node?.version;
  return { node, minitiad, comparison: compareVersions(comparable, minitiad?.version) };
}
