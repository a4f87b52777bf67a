import { signedText, type ScoresManifest } from "@vipscore/policy/evidence";
import type { Context } from "../context.ts";
import { noSigner } from "../key/findSigner.ts";

/** Signs manifests with a key. */
export interface ManifestSigner {
  readonly address: string;
  /** Returns the manifest with the signature. */
  sign(manifest: ScoresManifest): Promise<ScoresManifest>;
}

/**
 * Opens the key that signs manifests, from the keystore file or the environment. A mnemonic's key is that of Ethereum wallets.
 *
 * @throws InputError `KEY_INVALID`, `FILE_UNREADABLE`.
 */
export async function openManifestSigner(
  { io, output, scrubber }: Context,
  keystore: string | undefined,
): Promise<ManifestSigner> {
  const [{ readKey }, { privateKeyToAccount }] = await Promise.all([
    import("../key/readKey.ts"),
    import("viem/accounts"),
  ]);
  const key = await readKey(io, { vm: "evm", keystore, onLocalNode: false, scrubber });
  if (key === undefined) throw noSigner();
  const account = privateKeyToAccount(key.value.privateKey);
  const { address } = account;
  output.note(output.paintNote("dim", `signer    ${address}  (${key.source})`));
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
  const { recoverMessageAddress } = await import("viem");
  try {
    return await recoverMessageAddress({ message: signedText(manifest), signature: eip191 });
  } catch {
    return undefined;
  }
}
