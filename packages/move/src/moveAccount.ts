import {
  AuthInfo,
  Coins,
  Fee,
  ModeInfo,
  RawKey,
  SignDoc,
  SignerInfo,
  Tx,
  TxBody,
  type Msg,
  type PublicKey,
} from "@initia/initia.js";
import { parseAccount, type Account } from "@vipscore/core";
import {
  privateKeyOf,
  queuedTxTypeUrl,
  type CosmosAccount,
  type CosmosKey,
  type UnsignedTransaction,
} from "@vipscore/core/cosmos";
import { moveAccountBytes } from "./moveAddress.ts";

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
    const { message, chainId, sequence, isQueued = false, ...rest } = transaction;
    const body = isQueued ? new QueuedTxBody([message]) : new TxBody([message]);
    const fee = new Fee(Number(rest.gas), rest.fee === undefined ? new Coins() : `${rest.fee.amount}${rest.fee.denom}`);
    const mode = new ModeInfo(new ModeInfo.Single(ModeInfo.SignMode.SIGN_MODE_DIRECT));
    const signer = new SignerInfo(this.#publicKey(), Number(sequence), mode);
    const auth = new AuthInfo([signer], fee);
    const document = new SignDoc(chainId, Number(rest.accountNumber), Number(sequence), auth, body);
    const signature = await this.#key.sign(Buffer.from(document.toBytes()));
    return new Tx(body, auth, [signature.toString("base64")]).toBytes();
  }

  #publicKey(): PublicKey {
    const { publicKey } = this.#key;
    if (publicKey === undefined) throw new Error("a private key must have a public key");
    return publicKey;
  }
}

/** A transaction that the mempool queues while its sequence is ahead; initia.js does not support extensions. */
class QueuedTxBody extends TxBody {
  override toProto(): TxBody.Proto {
    return { ...super.toProto(), extensionOptions: [{ typeUrl: queuedTxTypeUrl, value: new Uint8Array() }] };
  }
}
