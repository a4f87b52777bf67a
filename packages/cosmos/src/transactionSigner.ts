import { createHash } from "node:crypto";
import type { BroadcastError, FeeQuote, SignedTransaction, SignOptions } from "@vipscore/core";
import { coinIn, type Coin } from "./coins.ts";
import type { CosmosAccount, CosmosMessage } from "./cosmosAccount.ts";
import { feeOf, type GasPrice } from "./gasPrice.ts";
import { MempoolMemory, SequenceMemory } from "./signerMemory.ts";

/** Time for which the chain's gas price is assumed unchanged; people can change this setting. */
const priceMemoryMs = 60_000;

/** The chain's record of a signing account; both values are 0 for an account that has never received funds. */
export interface AccountState {
  readonly accountNumber: bigint;
  /** The sequence of its next transaction, without pending transactions. */
  readonly sequence: bigint;
}

/** A signer's queries to its chain about its account. */
export interface SignerChain {
  readAccountState(signal: AbortSignal | undefined): Promise<AccountState>;
  /** The chain's gas price; undefined if gas is free. */
  readGasPrice(signal: AbortSignal | undefined): Promise<GasPrice | undefined>;
  readBalances(signal: AbortSignal | undefined): Promise<readonly Coin[]>;
}

/** Parameters of {@link TransactionSigner}. */
export interface TransactionSignerParts {
  readonly chain: SignerChain;
  readonly chainId: string;
  readonly account: CosmosAccount;
  /** The price to pay. Default: the chain's. */
  readonly gasPrice: GasPrice | undefined;
}

/** One account's transactions on one Cosmos SDK chain: sequence, fee, signature and hash. */
export class TransactionSigner {
  readonly account: CosmosAccount;
  readonly #sequence = new SequenceMemory();
  readonly #mempool = new MempoolMemory();
  readonly #chain: SignerChain;
  readonly #chainId: string;
  readonly #givenPrice: GasPrice | undefined;
  #askedPrice: { readonly value: GasPrice | undefined; readonly readAt: number } | undefined;
  #accountNumber: bigint | undefined;

  constructor({ chain, chainId, account, gasPrice }: TransactionSignerParts) {
    this.account = account;
    this.#chain = chain;
    this.#chainId = chainId;
    this.#givenPrice = gasPrice;
  }

  /** The sequence of the next transaction, known pending transactions included. */
  async readSequence(signal: AbortSignal | undefined): Promise<bigint> {
    const { accountNumber, sequence } = await this.#chain.readAccountState(signal);
    this.#accountNumber = accountNumber;
    return this.#sequence.next(sequence);
  }

  async sign(message: CosmosMessage, { sequence, gas, signal }: SignOptions): Promise<SignedTransaction> {
    this.#accountNumber ??= (await this.#chain.readAccountState(signal)).accountNumber;
    const price = await this.#gasPrice(signal);
    const { canQueue } = this.account;
    const bytes = await this.account.signTransaction({
      message,
      chainId: this.#chainId,
      accountNumber: this.#accountNumber,
      sequence,
      gas,
      isQueued: canQueue && this.#mempool.isQueued,
      fee: price === undefined ? undefined : { denom: price.denom, amount: feeOf(price, gas) },
    });
    const hash = createHash("sha256").update(bytes).digest("hex").toUpperCase();
    return { hash, sequence, gas, bytes, ...(canQueue ? {} : { hasOtherForm: false }) };
  }

  /** Learns from a refusal which sequence the node expects, which form of a transaction it accepts, and that its price rose. */
  noteRefusal(transaction: SignedTransaction, { refusal, details = "" }: BroadcastError): void {
    this.#mempool.noteRefusal(transaction, details);
    if (refusal === "sequence") this.#sequence.noteRefusal(details);
    if (refusal === "fee") this.#askedPrice = undefined;
  }

  async readFees(signal: AbortSignal | undefined): Promise<FeeQuote> {
    const price = await this.#gasPrice(signal);
    const { denom, amount: balance } = coinIn(await this.#chain.readBalances(signal), price?.denom);
    const { amount, per } = price ?? { amount: 0n, per: 1n };
    // No interface returns the decimals of a denomination, so amounts are shown in the smallest unit.
    return { balance, gasPrice: { amount, per }, token: { symbol: denom, decimals: 0 } };
  }

  async #gasPrice(signal: AbortSignal | undefined): Promise<GasPrice | undefined> {
    if (this.#givenPrice !== undefined) return this.#givenPrice;
    if (this.#askedPrice === undefined || performance.now() - this.#askedPrice.readAt > priceMemoryMs) {
      this.#askedPrice = { value: await this.#chain.readGasPrice(signal), readAt: performance.now() };
    }
    return this.#askedPrice.value;
  }
}
