// The manifest alone, without DuckDB, whose library is large.
export { createManifest, type CreateManifestOptions } from "./evidence/createManifest.ts";
export { formatManifest, signedText } from "./evidence/formatManifest.ts";
export { parseManifest } from "./evidence/parseManifest.ts";
export type {
  ManifestBlock,
  ManifestChain,
  ManifestFile,
  ManifestPolicy,
  ManifestScores,
  ManifestSignature,
  ManifestSnapshot,
  ManifestSource,
  ManifestWindow,
  ScoresManifest,
} from "./evidence/scoresManifest.ts";
