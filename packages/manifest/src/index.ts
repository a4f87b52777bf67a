export { formatManifest, signedText } from "./formatManifest.ts";
export { parseManifest } from "./parseManifest.ts";
export { policyDigest, type FileDigest } from "./policyDigest.ts";
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
} from "./scoresManifest.ts";
