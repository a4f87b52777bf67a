import { ModeInfo, RawKey, type Msg, type PublicKey } from "@initia/initia.js";
import { parseAccount, type Account } from "@vipscore/core";
import { privateKeyOf, type CosmosAccount, type CosmosKey, type UnsignedTransaction } from "@vipscore/core/cosmos";
import { moveAccountBytes } from "./moveAddress.ts";
import { encodeSigned, signDocument } from "./moveTransaction.ts";

/** An account that signs on a Move rollup. */
export type MoveAccount = CosmosAccount<Msg>;

/**
 * Creates an account from a key.
 *
 * @throws InputError `KEY_INVALID` for an invalid key or mnemonic; the message does not repeat it.
 * @example
 * const account = moveAccount({ mnemonic: process.env.MNEMONIC });
 */
export function moveAccount(key: CosmosKey): MoveAccount {
  const isEthereum = (key.coinType ?? 60) === 60;
  return new KeyAccount(new RawKey(Buffer.from(privateKeyOf(key)), isEthereum));
}

class KeyAccount implements MoveAccount {
  readonly address: string;
  readonly account: Account;
  readonly canQueue = true;
  readonly #key: RawKey;

  constructor(key: RawKey) {
    this.#key = key;
    this.address = key.accAddress;
    this.account = parseAccount(key.accAddress, { accountBytes: moveAccountBytes });
  }

  async signTransaction(transaction: UnsignedTransaction<Msg>): Promise<Uint8Array> {
    const mode = ModeInfo.SignMode.SIGN_MODE_DIRECT;
    const document = signDocument(transaction, { publicKey: this.#publicKey(), mode });
    return encodeSigned(document, await this.#key.sign(Buffer.from(document.toBytes())));
  }

  #publicKey(): PublicKey {
    const { publicKey } = this.#key;
    if (publicKey === undefined) throw new Error("a private key must have a public key");
    return publicKey;
  }
}
