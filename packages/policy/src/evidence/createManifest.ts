import { basename } from "node:path";
import type { Stage, Vm } from "@vipscore/core";
import type { Policy } from "../policy.ts";
import type { PolicyResult } from "../run/runPolicy.ts";
import type { ManifestWindow, ScoresManifest } from "./scoresManifest.ts";

/** What a manifest has beside a policy and its result. */
export interface CreateManifestOptions {
  readonly stage: Stage;
  /** The rollup's VM, and the blocks that were counted; undefined if no source reads the rollup. */
  readonly counted: { readonly vm: Vm; readonly window: ManifestWindow } | undefined;
  /** Path or name of the file with the scores. */
  readonly file: string;
  /** The version of vipscore. */
  readonly vipscore: string;
}

/** Creates the manifest of the scores that a run of a policy gave. */
export function createManifest(
  policy: Policy,
  { table, sources, duckdb, excluded }: PolicyResult,
  { stage, counted, file, vipscore }: CreateManifestOptions,
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
    rollup: { vm: counted?.vm, chainId: policy.chainId },
    window: counted?.window,
    sources: sources.map(({ name, kind, rows, digest }) => ({ name, kind, rows, sha256: digest })),
    versions: { vipscore, duckdb },
    scores: { file: basename(file), accounts: table.size, total: table.total, sha256: table.digest() },
    excluded: excluded.length,
    chain: undefined,
  };
}
