import { basename } from "node:path";
import type { Stage } from "@vipscore/core";
import type { ScoresManifest } from "@vipscore/core/manifest";
import type { PolicyChain } from "../chain/policyChain.ts";
import type { Policy } from "../policy.ts";
import type { PolicyResult } from "../run/runPolicy.ts";

/** Contents of a manifest besides a policy and its result. */
export interface CreateManifestOptions {
  readonly stage: Stage;
  /** The rollup that was counted; undefined if no source reads it. */
  readonly chain: PolicyChain | undefined;
  /** Path or name of the file with the scores. */
  readonly file: string;
  /** The version of vipscore. */
  readonly vipscore: string;
}

/** Creates the manifest of the scores that a run of a policy gave. */
export function createManifest(
  policy: Policy,
  { table, sources, duckdb, excluded }: PolicyResult,
  { stage, chain, file, vipscore }: CreateManifestOptions,
): ScoresManifest {
  const files = [...policy.files].map(([name, { bytes, sha256 }]) => ({ name, bytes, sha256 }));
  return {
    stage,
    policy: {
      name: policy.name,
      version: policy.version,
      sha256: policy.digest,
      files: files.sort((one, other) => (one.name < other.name ? -1 : 1)),
    },
    rollup: { vm: chain?.node.vm, chainId: policy.chainId },
    window: chain && { ...chain.window, from: policy.window === undefined ? "l1" : "policy" },
    sources: sources.map(({ name, kind, rows, digest }) => ({ name, kind, rows, sha256: digest })),
    versions: { vipscore, duckdb },
    scores: { file: basename(file), accounts: table.size, total: table.total, sha256: table.digest() },
    excluded: excluded.length,
    chain: undefined,
    signature: undefined,
  };
}
