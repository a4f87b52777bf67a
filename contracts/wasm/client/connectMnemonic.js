import { SigningCosmWasmClient } from "@cosmjs/cosmwasm-stargate";
import { DirectEthSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { BaseAccount } from "cosmjs-types/cosmos/auth/v1beta1/auth";
import { AuthInfo } from "cosmjs-types/cosmos/tx/v1beta1/tx";

export async function connectMnemonic(rpcUrl, mnemonic, options) {
  const wallet = await DirectEthSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: "init" });
  const signer = {
    getAccounts: () => wallet.getAccounts(),
    signDirect(address, document) {
      const info = AuthInfo.decode(document.authInfoBytes);
      // cosmjs names the type of another chain.
      for (const { publicKey } of info.signerInfos) publicKey.typeUrl = "/initia.crypto.v1beta1.ethsecp256k1.PubKey";
      return wallet.signDirect(address, { ...document, authInfoBytes: AuthInfo.encode(info).finish() });
    },
  };
  const [{ address }] = await wallet.getAccounts();
  const client = await SigningCosmWasmClient.connectWithSigner(rpcUrl, signer, { ...options, accountParser });
  return { client, address };
}

/** That of cosmjs refuses an account with such a public key. */
function accountParser({ value }) {
  const { address, accountNumber, sequence } = BaseAccount.decode(value);
  return { address, pubkey: null, accountNumber: Number(accountNumber), sequence: Number(sequence) };
}
