import { basename } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { recoverMessageAddress } from "viem/utils";
import type { Stage } from "@vipscore/core";
import { signedText, type ScoresManifest } from "@vipscore/core/manifest";
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
    sources: sources.map(({ digest: sha256, compared: _compared, ...source }) => ({ ...source, sha256 })),
    versions: { vipscore, duckdb },
    scores: { file: basename(file), accounts: table.size, total: table.total, sha256: table.digest() },
    excluded: excluded.length,
    chain: undefined,
    signature: undefined,
  };
}

/** Signs manifests as messages of an Ethereum wallet (EIP-191). */
export interface ManifestAccount {
  /** `0x` and 40 hex digits, with the checksum of EIP-55. */
  readonly address: string;
  /** Returns the manifest with the signature. */
  sign(manifest: ScoresManifest): Promise<ScoresManifest>;
}

/** Returns the account of a private key: `0x` and 64 hex digits. */
export function manifestAccount(privateKey: `0x${string}`): ManifestAccount {
  const account = privateKeyToAccount(privateKey);
  const { address } = account;
  return {
    address,
    sign: async (manifest) => ({
      ...manifest,
      signature: { signer: address, eip191: await account.signMessage({ message: signedText(manifest) }) },
    }),
  };
}

/** Returns the address whose key signed a manifest; undefined if the signature is not one. */
export async function recoverSigner(manifest: ScoresManifest, eip191: `0x${string}`): Promise<string | undefined> {
  try {
    return await recoverMessageAddress({ message: signedText(manifest), signature: eip191 });
  } catch {
    return undefined;
  }
}
