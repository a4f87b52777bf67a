import { manifestFormat, type ManifestBlock, type ManifestChain, type ScoresManifest } from "./scoresManifest.ts";

/**
 * Returns the canonical text of a manifest: JSON with two spaces, the fields in a fixed order, and a line feed at the end. Values
 * of u64 (stage, total, bridge ID) are decimal text, because a JSON number of that size is rounded by most readers. Equal
 * manifests have equal texts.
 */
export function formatManifest(manifest: ScoresManifest): string {
  const { stage, policy, rollup, window, sources, versions, scores, excluded, chain, signature } = manifest;
  const value = {
    format: manifestFormat,
    stage: `${stage}`,
    policy: {
      name: policy.name,
      version: policy.version,
      sha256: policy.sha256,
      files: policy.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    },
    rollup: { vm: rollup.vm ?? null, chainId: rollup.chainId },
    window:
      window === undefined ? null : { first: blockJson(window.first), last: blockJson(window.last), from: window.from },
    sources: sources.map(({ name, kind, rows, sha256, assumed, misfits, leftOut }) => ({
      name,
      kind,
      rows,
      sha256,
      assumed,
      misfits: misfits?.map(({ height, transaction, event }) => ({ height, transaction, event })),
      leftOut,
    })),
    versions: { vipscore: versions.vipscore, duckdb: versions.duckdb },
    scores: { file: scores.file, accounts: scores.accounts, total: `${scores.total}`, sha256: scores.sha256 },
    excluded,
    ...(chain === undefined ? {} : { chain: chainJson(chain) }),
    ...(signature === undefined ? {} : { signature: { signer: signature.signer, eip191: signature.eip191 } }),
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Returns the text that a signature covers: the manifest as it was before a push and before it was signed. */
export function signedText(manifest: ScoresManifest): string {
  return formatManifest({ ...manifest, chain: undefined, signature: undefined });
}

function blockJson({ height, hash, time }: ManifestBlock): object {
  return { height, hash, time };
}

function chainJson({ contract, transactions, finalization, snapshot }: ManifestChain): object {
  return {
    contract: { vm: contract.vm, chainId: contract.chainId, address: contract.address },
    transactions,
    ...(finalization === undefined ? {} : { finalization }),
    ...(snapshot === undefined ? {} : { root: snapshot.root, bridgeId: `${snapshot.bridgeId}` }),
  };
}
