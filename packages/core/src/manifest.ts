export { formatManifest, signedText } from "./manifest/formatManifest.ts";
export { parseManifest } from "./manifest/parseManifest.ts";
export type { PolicyFormulas } from "./manifest/policyFormulas.ts";
export {
  type FileDigest,
  type ManifestBlock,
  type ManifestChain,
  type ManifestFile,
  type ManifestPolicy,
  type ManifestScores,
  type ManifestSignature,
  type ManifestSnapshot,
  type ManifestSource,
  type ManifestWindow,
  policyDigest,
  type ScoresManifest,
} from "./manifest/scoresManifest.ts";
export { readManifest, StageManifest } from "./manifest/stageManifest.ts";
