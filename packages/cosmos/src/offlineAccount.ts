import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import { AuthInfo } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { formatBech32, InputError, VipError, type Account } from "@vipscore/core";
import { aminoDocument, encodeAmino, type AminoDocument } from "./aminoAccount.ts";
import type { CosmosAccount, UnsignedTransaction } from "./cosmosAccount.ts";
import { keyIdentity, keyKinds, type KeyIdentity } from "./keyAccount.ts";
import { encodeParts, encodeSigned } from "./transactionBytes.ts";

type Fee = UnsignedTransaction["fee"];

/**
 * Creates the account of a wallet's first key, ethsecp256k1 or secp256k1: the address shows which. It signs `SIGN_MODE_DIRECT` if
 * the wallet can, otherwise amino JSON, with the limits of {@link aminoAccount}. The wallet may change the fee, and nothing else.
 *
 * @throws InputError `KEY_INVALID` if the wallet has no key, or a key whose address it does not show. When it signs, VipError
 * `DEVICE_REFUSED` if the person at it refuses, `DEVICE_FAILED` for any other failure.
 * @example
 * const account = await moveOfflineAccount(await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: "init" }));
 */
export async function offlineAccount(signer: OfflineSigner): Promise<CosmosAccount> {
  const [first] = await signer.getAccounts();
  if (first === undefined) throw new InputError("the wallet has no key", { code: "KEY_INVALID" });
  const { address, pubkey } = first;
  const prefix = address.slice(0, address.lastIndexOf("1"));
  const identity = Object.values(keyKinds)
    .map((kind) => keyIdentity(kind, pubkey))
    .find(({ account }) => formatBech32(account, prefix) === address);
  if (identity === undefined) {
    throw new InputError(`${address} is not the address of the wallet's public key`, { code: "KEY_INVALID" });
  }
  return "signDirect" in signer
    ? new DirectAccount(signer, address, identity)
    : new AminoOnlyAccount(signer, address, identity);
}

/** Returns an account as it is, and the account of a wallet's first key. */
export function accountOf(signer: CosmosAccount | OfflineSigner): CosmosAccount | Promise<CosmosAccount> {
  return "signTransaction" in signer ? signer : offlineAccount(signer);
}

abstract class WalletAccount<Signer> implements CosmosAccount {
  readonly address: string;
  readonly account: Account;
  abstract readonly canQueue: boolean;
  protected readonly signer: Signer;
  /** The address as the wallet spells it. */
  protected readonly spelled: string;
  protected readonly publicKey: KeyIdentity["publicKey"];

  constructor(signer: Signer, spelled: string, { address, account, publicKey }: KeyIdentity) {
    this.address = address;
    this.account = account;
    this.signer = signer;
    this.spelled = spelled;
    this.publicKey = publicKey;
  }

  abstract signTransaction(transaction: UnsignedTransaction): Promise<Uint8Array>;
}

class DirectAccount extends WalletAccount<OfflineDirectSigner> {
  readonly canQueue = true;

  async signTransaction(transaction: UnsignedTransaction): Promise<Uint8Array> {
    const by = { publicKey: this.publicKey, mode: SignMode.SIGN_MODE_DIRECT };
    const { chainId, accountNumber } = transaction;
    const document = { ...encodeParts(transaction, by), chainId, accountNumber };
    const { signed, signature } = await requestSignature(this.signer.signDirect(this.spelled, document));
    const { fee } = AuthInfo.decode(signed.authInfoBytes);
    const coins = fee?.amount ?? [];
    const paid = { ...transaction, gas: fee?.gasLimit ?? 0n, fee: feeOfCoins(coins) };
    const parts = encodeParts(paid, by);
    checkSignedUnchanged([signed.bodyBytes, signed.authInfoBytes], [parts.bodyBytes, parts.authInfoBytes]);
    return encodeSigned(parts, Buffer.from(signature.signature, "base64"));
  }
}

class AminoOnlyAccount extends WalletAccount<OfflineAminoSigner> {
  readonly canQueue = false;

  async signTransaction(transaction: UnsignedTransaction): Promise<Uint8Array> {
    const { signed, signature } = await requestSignature(
      this.signer.signAmino(this.spelled, aminoDocument(transaction)),
    );
    const { amount, gas } = signed.fee;
    const paid = { ...transaction, gas: BigInt(gas), fee: feeOfCoins(amount) };
    checkSignedUnchanged([encodeAmino(signed)], [encodeAmino(aminoDocument(paid))]);
    const mode = SignMode.SIGN_MODE_LEGACY_AMINO_JSON;
    return encodeSigned(
      encodeParts(paid, { publicKey: this.publicKey, mode }),
      Buffer.from(signature.signature, "base64"),
    );
  }
}

/** The fee in one coin; undefined for none. With several, the comparison finds that the wallet changed more than the fee. */
function feeOfCoins([coin]: readonly { readonly denom: string; readonly amount: string }[]): Fee {
  return coin === undefined ? undefined : { denom: coin.denom, amount: BigInt(coin.amount) };
}

function checkSignedUnchanged(signed: readonly Uint8Array[], expected: readonly Uint8Array[]): void {
  if (expected.every((bytes, index) => Buffer.from(bytes).equals(signed[index] ?? Buffer.of()))) return;
  throw new VipError("the wallet signed another transaction", {
    code: "DEVICE_FAILED",
    metaMessages: ["The transaction was not sent. A wallet may change the fee, in one coin, and nothing else."],
  });
}

/** Awaits a wallet, whose errors have no common form. */
async function requestSignature<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    const details = cause instanceof Error ? cause.message : String(cause);
    const isRefusal = /\breject|\bdenied\b|\bdeclined\b/i.test(details);
    throw new VipError(`the wallet did not sign: ${details}`, {
      code: isRefusal ? "DEVICE_REFUSED" : "DEVICE_FAILED",
      metaMessages: ["The transaction was not sent."],
      details,
      cause,
    });
  }
}

/** A key of a signer. */
interface OfflineAccount {
  /** The address in bech32, with any prefix. */
  readonly address: string;
  /** The public key: a compressed point of secp256k1, 33 bytes. */
  readonly pubkey: Uint8Array;
}

/** What a signature in `SIGN_MODE_DIRECT` covers. */
interface OfflineDirectDocument {
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
  readonly chainId: string;
  readonly accountNumber: bigint;
}

/** A signature and the document that it covers, whose fee a wallet may have changed. */
interface OfflineSignature<Document> {
  readonly signed: Document;
  /** r and s in base64, 64 bytes. */
  readonly signature: { readonly signature: string };
}

interface OfflineAccounts {
  readonly getAccounts: () => Promise<readonly OfflineAccount[]>;
}

/** A wallet that signs `SIGN_MODE_DIRECT`, in the form of cosmjs' `OfflineDirectSigner`. */
export interface OfflineDirectSigner extends OfflineAccounts {
  readonly signDirect: (
    address: string,
    document: OfflineDirectDocument,
  ) => Promise<OfflineSignature<OfflineDirectDocument>>;
}

/** A wallet that signs amino JSON, in the form of cosmjs' `OfflineAminoSigner`. */
export interface OfflineAminoSigner extends OfflineAccounts {
  readonly signAmino: (address: string, document: AminoDocument) => Promise<OfflineSignature<AminoDocument>>;
}

/** A wallet in the form of cosmjs' `OfflineSigner`, such as its own wallets and Keplr's. */
export type OfflineSigner = OfflineDirectSigner | OfflineAminoSigner;
