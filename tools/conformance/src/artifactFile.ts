import { createRequire } from "node:module";

/** Names the file that is deployed in place of the published artifact. */
const artifactVariable = "VIPSCORE_CONFORMANCE_ARTIFACT";

/** The file with the contract's code: the one in VIPSCORE_CONFORMANCE_ARTIFACT. Default: the published package's. */
export function artifactFile(published: string): string {
  return process.env[artifactVariable] ?? createRequire(import.meta.url).resolve(published);
}
