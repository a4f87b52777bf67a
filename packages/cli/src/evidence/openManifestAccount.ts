import type { ManifestAccount } from "@vipscore/policy";
import type { Context } from "../context.ts";
import { noSigner } from "../key/findSigner.ts";
import { optionalPackage } from "../optionalPackage.ts";

/**
 * Opens the key that signs manifests, from the keystore file or the environment. A mnemonic's key is that of Ethereum wallets.
 *
 * @throws InputError `KEY_INVALID`, `FILE_UNREADABLE`, `PACKAGE_MISSING`.
 */
export async function openManifestAccount(
  { io, output, scrubber }: Context,
  keystore: string | undefined,
): Promise<ManifestAccount> {
  const { manifestAccount } = await optionalPackage("@vipscore/policy");
  const { readKey } = await import("../key/readKey.ts");
  const key = await readKey(io, { vm: "evm", keystore, onLocalNode: false, scrubber });
  if (key === undefined) throw noSigner();
  const account = manifestAccount(key.value.privateKey);
  output.note(output.paintNote("dim", `signer    ${account.address}  (${key.source})`));
  return account;
}
