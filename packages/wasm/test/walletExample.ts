import { encodeSecp256k1Pubkey, pubkeyToAddress } from "@cosmjs/amino";
import { encodePubkey, makeAuthInfoBytes, makeSignDoc, type OfflineDirectSigner } from "@cosmjs/proto-signing";
import { TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { parseAccount } from "@vipscore/core";
import type { WasmAccount } from "@vipscore/wasm";

/** Makes the account of the first key of a wallet of cosmjs or Keplr. */
export async function walletAccount(wallet: OfflineDirectSigner): Promise<WasmAccount> {
  const [key] = await wallet.getAccounts();
  if (key === undefined) throw new Error("the wallet has no key");
  const { address } = key;
  const cosmosKey = encodeSecp256k1Pubkey(key.pubkey);
  const pubkey = encodePubkey(cosmosKey);
  if (pubkeyToAddress(cosmosKey, "init") !== address) pubkey.typeUrl = "/initia.crypto.v1beta1.ethsecp256k1.PubKey";
  return {
    address,
    account: parseAccount(address, { accountBytes: [20] }),
    canQueue: false, // One transaction at a time.
    signTransaction: async ({ message: { typeUrl, value }, fee, gas, sequence, chainId, accountNumber }) => {
      const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [{ typeUrl, value }] })).finish();
      const coins = fee === undefined ? [] : [{ denom: fee.denom, amount: `${fee.amount}` }];
      const authInfoBytes = makeAuthInfoBytes([{ pubkey, sequence }], coins, Number(gas), undefined, undefined);
      const document = makeSignDoc(bodyBytes, authInfoBytes, chainId, Number(accountNumber));
      const { signature } = await wallet.signDirect(address, document);
      return TxRaw.encode({
        bodyBytes,
        authInfoBytes,
        signatures: [Buffer.from(signature.signature, "base64")],
      }).finish();
    },
  };
}
