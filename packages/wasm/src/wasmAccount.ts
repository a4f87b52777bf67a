import { Secp256k1 } from "@cosmjs/crypto";
import { makeSignBytes } from "@cosmjs/proto-signing";
import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import { TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import type { Any } from "cosmjs-types/google/protobuf/any";
import type { Account } from "@vipscore/core";
import { privateKeyOf, type CosmosAccount, type CosmosKey, type UnsignedTransaction } from "@vipscore/core/cosmos";
import { identityOf, keyKinds, type KeyKind } from "./keyKind.ts";
import { addressOf } from "./wasmAddress.ts";
import { encodeParts, type WasmMessage } from "./wasmTransaction.ts";

/** An account that signs on a Wasm rollup. */
export type WasmAccount = CosmosAccount<WasmMessage>;

/**
 * Creates an account from a key.
 *
 * @throws InputError `KEY_INVALID` for an invalid key or mnemonic; the message does not repeat it.
 * @example
 * const account = wasmAccount({ mnemonic: process.env.MNEMONIC });
 */
export function wasmAccount(key: CosmosKey): WasmAccount {
  return new KeyAccount(privateKeyOf(key), keyKinds[key.coinType ?? 60]);
}

class KeyAccount implements WasmAccount {
  readonly address: string;
  readonly account: Account;
  readonly canQueue = true;
  readonly #privateKey: Uint8Array;
  readonly #publicKey: Any;
  readonly #kind: KeyKind;

  constructor(privateKey: Uint8Array, kind: KeyKind) {
    const point = Secp256k1.compressPubkey(Secp256k1.makeKeypair(privateKey).pubkey);
    const { account, publicKey } = identityOf(kind, point);
    this.account = account;
    this.address = addressOf(account);
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
    this.#kind = kind;
  }

  signTransaction(transaction: UnsignedTransaction<WasmMessage>): Promise<Uint8Array> {
    const { chainId, accountNumber } = transaction;
    const mode = SignMode.SIGN_MODE_DIRECT;
    const parts = encodeParts(transaction, { publicKey: this.#publicKey, mode });
    const document = makeSignBytes({ ...parts, chainId, accountNumber });
    const signed = Secp256k1.createSignature(this.#kind.digest(document), this.#privateKey);
    const signature = Buffer.concat([signed.r(32), signed.s(32)]);
    return Promise.resolve(TxRaw.encode({ ...parts, signatures: [signature] }).finish());
  }
}
