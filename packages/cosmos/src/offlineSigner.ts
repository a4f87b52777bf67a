import type { AminoDocument } from "./aminoDocument.ts";

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
