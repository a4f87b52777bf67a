import { EthPublicKey, type RawKey } from "@initia/initia.js";
import { SignDoc } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import type { MoveOfflineSigner } from "@vipscore/move";

/** Lets a key of initia.js sign, such as a `MnemonicKey`: `connectMove({ restUrl, address, account: signerOf(key) })`. */
export function signerOf(key: RawKey): MoveOfflineSigner {
  const { accAddress: address, publicKey } = key;
  if (!(publicKey instanceof EthPublicKey)) throw new TypeError("not a key with an Ethereum address");
  return {
    getAccounts: () => Promise.resolve([{ address, pubkey: Buffer.from(publicKey.key, "base64") }]),
    signDirect: async (_, signed) => {
      const signature = await key.sign(Buffer.from(SignDoc.encode(signed).finish()));
      return { signed, signature: { signature: signature.toString("base64") } };
    },
  };
}
