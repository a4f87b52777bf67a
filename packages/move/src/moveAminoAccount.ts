import { EthPublicKey, ModeInfo, SimplePublicKey, type Msg, type PublicKey } from "@initia/initia.js";
import { parseAccount, type Account } from "@vipscore/core";
import type { AminoSigner, UnsignedTransaction } from "@vipscore/core/cosmos";
import type { MoveAccount } from "./moveAccount.ts";
import { moveAccountBytes } from "./moveAddress.ts";
import { encodeSigned, signDocument } from "./moveTransaction.ts";

const { SIGN_MODE_EIP_191, SIGN_MODE_LEGACY_AMINO_JSON } = ModeInfo.SignMode;

/**
 * Creates an account that signs amino JSON, as hardware wallets do.
 *
 * @example
 * const account = moveAminoAccount({ coinType: 60, publicKey, signAmino: (document) => device.sign(document) });
 */
export function moveAminoAccount(signer: AminoSigner): MoveAccount {
  return new AminoAccount(signer);
}

class AminoAccount implements MoveAccount {
  readonly address: string;
  readonly account: Account;
  readonly canQueue = false;
  readonly maxDocumentBytes: number | undefined;
  readonly #signer: AminoSigner;
  readonly #publicKey: PublicKey;

  constructor(signer: AminoSigner) {
    const point = Buffer.from(signer.publicKey).toString("base64");
    const publicKey = signer.coinType === 60 ? new EthPublicKey(point) : new SimplePublicKey(point);
    this.#signer = signer;
    this.maxDocumentBytes = signer.maxDocumentBytes;
    this.#publicKey = publicKey;
    this.address = publicKey.address();
    this.account = parseAccount(this.address, { accountBytes: moveAccountBytes });
  }

  async signTransaction(transaction: UnsignedTransaction<Msg>): Promise<Uint8Array> {
    const mode = this.#signer.coinType === 60 ? SIGN_MODE_EIP_191 : SIGN_MODE_LEGACY_AMINO_JSON;
    const document = signDocument(transaction, { publicKey: this.#publicKey, mode });
    return encodeSigned(document, await this.#signer.signAmino(Buffer.from(escapeAsGo(document.toAminoJSON()))));
  }
}

/** Escapes the characters that the chain's encoder, in Go, escapes in JSON, and initia.js does not. */
function escapeAsGo(json: string): string {
  return json.replace(/[&<>\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
