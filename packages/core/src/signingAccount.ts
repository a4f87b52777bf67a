/**
 * The signer of one account's transactions: a key in memory or a device that asks a person. Its key cannot be read from it
 * and never appears when it is printed.
 *
 * `Unsigned` is a transaction before its signature, `Signed` the transaction as the chain takes it.
 */
export interface SigningAccount<Unsigned, Signed> {
  /** The address as the chain spells it. */
  readonly address: string;
  /**
   * Signs a transaction. A device may take as long as the person at it.
   *
   * @throws DeviceError when a device is missing, locked or shows another app, and when the person refuses.
   */
  signTransaction(transaction: Unsigned): Promise<Signed>;
}
