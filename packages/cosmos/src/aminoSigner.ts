/** How an app of a hardware wallet signs a transaction on a Cosmos SDK chain. */
export interface AminoSigner {
  /**
   * The kind of the key and how it signs. 60: an ethsecp256k1 key and `SIGN_MODE_EIP_191`, as the Ethereum app does. 118: a
   * secp256k1 key and `SIGN_MODE_LEGACY_AMINO_JSON`, as the Cosmos app does.
   */
  readonly coinType: 60 | 118;
  /** The public key: a compressed point, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** Most bytes of a document that it signs. Default: any number. */
  readonly maxDocumentBytes?: number;
  /**
   * Signs a transaction in amino JSON. With coin type 60 the signature covers the document as an Ethereum message, whose prefix
   * the app adds itself; with 118, the document.
   *
   * @returns r and s, 64 bytes, s in the lower half of the curve's order; chains refuse the upper half.
   * @throws DeviceError.
   */
  signAmino(document: Uint8Array): Promise<Uint8Array>;
}
