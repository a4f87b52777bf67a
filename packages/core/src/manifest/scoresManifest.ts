import { createHash } from "node:crypto";
import type { ContractIdentity, Vm } from "../contractIdentity.ts";
import type { Stage } from "../stage.ts";

/** The value of `format` in every manifest of this version. */
export const manifestFormat = "vipscore-scores/1";

/** Inputs that the scores of a stage were made from: everything that another person needs to compute and compare them. */
export interface ScoresManifest {
  readonly stage: Stage;
  readonly policy: ManifestPolicy;
  readonly rollup: {
    /** Undefined if no source reads the rollup. */
    readonly vm: Vm | undefined;
    readonly chainId: string;
  };
  /** Undefined if no source reads the rollup. */
  readonly window: ManifestWindow | undefined;
  /** In the policy's order. */
  readonly sources: readonly ManifestSource[];
  readonly versions: { readonly vipscore: string; readonly duckdb: string };
  readonly scores: ManifestScores;
  /** Number of accounts that the query gives a score and the policy excludes. */
  readonly excluded: number;
  /** Undefined until the scores are pushed. */
  readonly chain: ManifestChain | undefined;
  /** Undefined if nobody signed it. */
  readonly signature: ManifestSignature | undefined;
}

/** The operator's signature. It covers what `signedText` returns, so that a later push does not break it. */
export interface ManifestSignature {
  /** `0x` and 40 hex digits. */
  readonly signer: string;
  /** Signature of a message as in EIP-191: `0x` and 130 hex digits. */
  readonly eip191: `0x${string}`;
}

/** The policy that gave the scores. */
export interface ManifestPolicy {
  readonly name: string;
  readonly version: string;
  /** See `policyDigest`. */
  readonly sha256: string;
  /** All files that the policy names, sorted by name. */
  readonly files: readonly ManifestFile[];
}

/** A file inside the policy's folder. */
export interface ManifestFile {
  /** Its path inside the folder, with `/`. */
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
}

/** The blocks that were counted, both included. */
export interface ManifestWindow {
  readonly first: ManifestBlock;
  readonly last: ManifestBlock;
  /** Origin of the window: named by the policy, or that of the stage on L1. */
  readonly from: "policy" | "l1";
}

/** A block of the rollup. */
export interface ManifestBlock {
  readonly height: number;
  /** Lower-case hex. */
  readonly hash: string;
  /** Unix time in whole seconds, rounded down. */
  readonly time: number;
}

/** The rows of a source. */
export interface ManifestSource {
  readonly name: string;
  readonly kind: string;
  readonly rows: number;
  /** See `SourceDigest`. */
  readonly sha256: string;
  /** What the policy says of the source and no row can show to be wrong; undefined if there is nothing. */
  readonly assumed?: string | undefined;
  /** Events that did not fit the columns, and were left out as the policy says; undefined if there were none. */
  readonly misfits?:
    readonly { readonly height: number; readonly transaction: string; readonly event: number }[] | undefined;
  /** By how many tokens the source differs from what its contracts count; undefined if it does not, or if they do not say it. */
  readonly leftOut?: number | undefined;
}

/** The file with the scores. */
export interface ManifestScores {
  /** Name of the file beside the manifest. */
  readonly file: string;
  readonly accounts: number;
  readonly total: bigint;
  /** Digest of the table, `ScoreTable.digest()`, not of the file's bytes. */
  readonly sha256: string;
}

/** Contract and transactions with which the scores were written. */
export interface ManifestChain {
  readonly contract: ContractIdentity;
  /** Hashes of the transactions that wrote scores, in their order. */
  readonly transactions: readonly string[];
  /** Hash of the transaction that finalized the stage; null if another sender's did; undefined while the stage is open. */
  readonly finalization: string | null | undefined;
  /** Undefined until a snapshot is computed. */
  readonly snapshot: ManifestSnapshot | undefined;
}

/** The Merkle tree of the stage. */
export interface ManifestSnapshot {
  readonly bridgeId: bigint;
  /** 64 hex digits; null if no account has a score. */
  readonly root: string | null;
}

/** A file's size in bytes and the SHA-256 of its content, in hex. */
export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Returns the SHA-256, in hex, over one line `sha256  bytes  name\n` for each file of a policy, sorted by name.
 *
 * Anyone who has the files can compute it with `sha256sum` and `wc -c`; large reference files enter by their own digest.
 */
export function policyDigest(files: ReadonlyMap<string, FileDigest>): string {
  const lines = [...files].map(([name, { bytes, sha256 }]) => ({ name, line: `${sha256}  ${bytes}  ${name}\n` }));
  lines.sort((one, other) => (one.name < other.name ? -1 : 1));
  return createHash("sha256")
    .update(lines.map(({ line }) => line).join(""))
    .digest("hex");
}
