import { privateKeyToAccount } from "viem/accounts";
import { recoverMessageAddress } from "viem/utils";
import { signedText, type ScoresManifest } from "@vipscore/core/manifest";

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
