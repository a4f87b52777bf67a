import { secp256k1 } from "@noble/curves/secp256k1";
import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import type { Account } from "@vipscore/core";
import { privateKeyOf, type AccountKey } from "@vipscore/core/keys";
import type { CosmosAccount, UnsignedTransaction } from "./cosmosAccount.ts";
import { keyIdentity, keyKinds, type KeyIdentity, type KeyKind } from "./keyIdentity.ts";
import { encodeParts, encodeSignDoc, encodeSigned } from "./transactionBytes.ts";

/**
 * Creates an account from a key. It signs with `SIGN_MODE_DIRECT`: coin type 60 with ethsecp256k1, 118 with plain secp256k1.
 *
 * @throws InputError `KEY_INVALID` for an invalid key or mnemonic; the message does not repeat it.
 * @example
 * const account = moveAccount({ mnemonic: process.env.MNEMONIC });
 */
export function keyAccount(key: AccountKey): CosmosAccount {
  return new KeyAccount(privateKeyOf(key), keyKinds[key.coinType ?? 60]);
}

class KeyAccount implements CosmosAccount {
  readonly address: string;
  readonly account: Account;
  readonly canQueue = true;
  readonly #privateKey: Uint8Array;
  readonly #publicKey: KeyIdentity["publicKey"];
  readonly #kind: KeyKind;

  constructor(privateKey: Uint8Array, kind: KeyKind) {
    const { address, account, publicKey } = keyIdentity(kind, secp256k1.getPublicKey(privateKey, true));
    this.address = address;
    this.account = account;
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
    this.#kind = kind;
  }

  signTransaction(transaction: UnsignedTransaction): Promise<Uint8Array> {
    const parts = encodeParts(transaction, { publicKey: this.#publicKey, mode: SignMode.SIGN_MODE_DIRECT });
    const digest = this.#kind.digest(encodeSignDoc(parts, transaction));
    // Chains refuse the upper half of the curve's order.
    const signature = secp256k1.sign(digest, this.#privateKey, { lowS: true });
    return Promise.resolve(encodeSigned(parts, signature.toCompactRawBytes()));
  }
}
