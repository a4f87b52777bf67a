import type { Account } from "./account.ts";
import { InputError } from "./errors/inputError.ts";
import { BroadcastError } from "./errors/vipError.ts";
import type { NewestHeightOptions, SignalOptions } from "./readOptions.ts";
import type { ContractCall, FeeQuote, SignedTransaction, SignOptions, TransactionStatus } from "./scoreContract.ts";
import type { MonotonicHeight } from "./wire/retryRead.ts";

/** Signs the transactions of one account on one chain. `Message` is what a transaction does, as the chain takes it. */
export interface Signer<Message> {
  /** Returns the sequence of the next transaction, known pending transactions included. */
  readSequence(signal: AbortSignal | undefined): Promise<bigint>;
  readFees(signal: AbortSignal | undefined): Promise<FeeQuote>;
  sign(message: Message, options: SignOptions): Promise<SignedTransaction>;
  /** Learns from a refusal which sequence, price or form the node accepts. */
  noteRefusal(transaction: SignedTransaction, refusal: BroadcastError): void;
}

/** The part of a scoring contract that sends transactions. An adapter adds the parts that read state and price rows. */
export abstract class SendingContract<Message> {
  readonly signer: Account | undefined;
  protected readonly heights: MonotonicHeight;
  readonly #signer: Signer<Message> | undefined;

  /** @param account - The signer's account. */
  constructor(heights: MonotonicHeight, signer: Signer<Message> | undefined, account: Account | undefined) {
    this.signer = account;
    this.heights = heights;
    this.#signer = signer;
  }

  getHeight(options: NewestHeightOptions = {}): Promise<bigint> {
    return this.heights.getHeight(options);
  }

  async getFees({ signal }: SignalOptions = {}): Promise<FeeQuote> {
    return this.#signing().signer.readFees(signal);
  }

  async getSequence({ signal }: SignalOptions = {}): Promise<bigint> {
    return this.#signing().signer.readSequence(signal);
  }

  async sign(call: ContractCall, options: SignOptions): Promise<SignedTransaction> {
    const { signer, account } = this.#signing();
    return signer.sign(this.encode(call, account), options);
  }

  async broadcast(transaction: SignedTransaction, { signal }: SignalOptions = {}): Promise<void> {
    try {
      await this.send(transaction, signal);
    } catch (error) {
      if (error instanceof BroadcastError) this.#signer?.noteRefusal(transaction, error);
      throw error;
    }
  }

  async lookUp(hash: string, { signal }: SignalOptions = {}): Promise<TransactionStatus> {
    const status = await this.find(hash, signal);
    if (status.state === "included") this.heights.raise(status.height);
    return status;
  }

  /** Returns what a transaction of the account does to make the call. */
  protected abstract encode(call: ContractCall, account: Account): Message;
  /** Sends a transaction once; see `broadcast` of the port. */
  protected abstract send(transaction: SignedTransaction, signal: AbortSignal | undefined): Promise<void>;
  /** Looks up a transaction; see `lookUp` of the port. */
  protected abstract find(hash: string, signal: AbortSignal | undefined): Promise<TransactionStatus>;

  #signing(): { readonly signer: Signer<Message>; readonly account: Account } {
    const { signer: account } = this;
    if (this.#signer !== undefined && account !== undefined) return { signer: this.#signer, account };
    throw new InputError("this connection has no signing account and can only read", { code: "KEY_INVALID" });
  }
}

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
