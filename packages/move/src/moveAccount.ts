import {
  AuthInfo,
  Coins,
  Fee,
  MnemonicKey,
  ModeInfo,
  RawKey,
  SignDoc,
  SignerInfo,
  Tx,
  TxBody,
} from "@initia/initia.js";
import type { Msg, PublicKey } from "@initia/initia.js";
import { InputError, parseAccount, type Account } from "@vipscore/core";
import { moveAccountBytes } from "./moveAddress.ts";

/**
 * What a Move account signs with: a mnemonic or a private key of 32 bytes in hex.
 *
 * `coinType` 60, the default, derives as Ethereum wallets do and signs as an ethsecp256k1 key, as initia.js does; 118
 * derives as the wallets of Cosmos chains do and signs as a plain secp256k1 key. The two have different addresses. A
 * private key given as such signs as an ethsecp256k1 key unless `coinType` is 118.
 */
export type MoveKey = { readonly coinType?: 60 | 118 | undefined } & (
  | { readonly mnemonic: string; readonly privateKey?: undefined }
  | { readonly privateKey: string; readonly mnemonic?: undefined }
);

/** What a transaction is made of. */
export interface UnsignedTransaction {
  readonly message: Msg;
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  readonly gas: bigint;
  /** The fee, e.g. `1500umin`; undefined where nothing is charged. */
  readonly fee: string | undefined;
}

/** An account that signs. Its key cannot be read from it, and is not part of anything that prints it. */
export interface MoveAccount {
  /** The address in bech32, `init1…`. */
  readonly address: string;
  /** The same address in the form that accounts have everywhere. */
  readonly account: Account;
  /** Signs in `SIGN_MODE_DIRECT` and gives the bytes of the transaction. */
  signTransaction(transaction: UnsignedTransaction): Promise<Uint8Array>;
}

/**
 * Makes an account from a key. The checksum of a mnemonic is not checked: compare the address.
 *
 * @throws InputError `KEY_INVALID` for a key or mnemonic that is none; its text is not repeated.
 * @example
 * const account = moveAccount({ mnemonic: process.env.MNEMONIC });
 */
export function moveAccount(key: MoveKey): MoveAccount {
  return new KeyAccount(readKey(key));
}

class KeyAccount implements MoveAccount {
  readonly address: string;
  readonly account: Account;
  readonly #key: RawKey;

  constructor(key: RawKey) {
    this.#key = key;
    this.address = key.accAddress;
    this.account = parseAccount(key.accAddress, { accountBytes: moveAccountBytes });
  }

  async signTransaction({ message, chainId, sequence, ...rest }: UnsignedTransaction): Promise<Uint8Array> {
    const body = new TxBody([message]);
    const fee = new Fee(Number(rest.gas), rest.fee === undefined ? new Coins() : rest.fee);
    const mode = new ModeInfo(new ModeInfo.Single(ModeInfo.SignMode.SIGN_MODE_DIRECT));
    const signer = new SignerInfo(this.#publicKey(), Number(sequence), mode);
    const auth = new AuthInfo([signer], fee);
    const document = new SignDoc(chainId, Number(rest.accountNumber), Number(sequence), auth, body);
    const signature = await this.#key.sign(Buffer.from(document.toBytes()));
    return new Tx(body, auth, [signature.toString("base64")]).toBytes();
  }

  #publicKey(): PublicKey {
    const { publicKey } = this.#key;
    if (publicKey === undefined) throw new Error("a key made of its private part has a public one");
    return publicKey;
  }
}

function readKey({ mnemonic, privateKey, coinType = 60 }: MoveKey): RawKey {
  const eth = coinType === 60;
  // What initia.js and the libraries beneath it say of a bad key may repeat parts of it.
  try {
    if (privateKey !== undefined) {
      const hex = privateKey.trim().replace(/^0x/i, "");
      if (!/^[0-9a-f]{64}$/i.test(hex)) throw new Error("not 32 bytes of hex");
      return new RawKey(Buffer.from(hex, "hex"), eth);
    }
    const words = mnemonic.trim().split(/\s+/).join(" ");
    if (![12, 15, 18, 21, 24].includes(words.split(" ").length)) throw new Error("not a mnemonic");
    return new MnemonicKey({ mnemonic: words, coinType, eth });
  } catch {
    const expected =
      privateKey === undefined
        ? "the mnemonic is not 12, 15, 18, 21 or 24 words"
        : "the private key is not 64 hex digits of a secp256k1 key";
    throw new InputError(expected, { code: "KEY_INVALID" });
  }
}
