// The manifest alone, without DuckDB, whose library is large.
export { createManifest, type CreateManifestOptions } from "./evidence/createManifest.ts";
export { formatManifest } from "./evidence/formatManifest.ts";
export { parseManifest } from "./evidence/parseManifest.ts";
export type {
  ManifestBlock,
  ManifestChain,
  ManifestFile,
  ManifestPolicy,
  ManifestScores,
  ManifestSnapshot,
  ManifestSource,
  ManifestWindow,
  ScoresManifest,
} from "./evidence/scoresManifest.ts";
