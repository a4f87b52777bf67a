export { formatManifest, signedText } from "./manifest/formatManifest.ts";
export { parseManifest } from "./manifest/parseManifest.ts";
export { policyDigest, type FileDigest } from "./manifest/policyDigest.ts";
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
} from "./manifest/scoresManifest.ts";
