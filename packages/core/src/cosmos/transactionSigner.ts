import { createHash } from "node:crypto";
import type { BroadcastError } from "../errors/broadcastError.ts";
import type { FeeQuote, SignedTransaction, SignOptions } from "../scoreContract.ts";
import type { CosmosAccount } from "./cosmosAccount.ts";
import { feeOf, type GasPrice } from "./gasPrice.ts";
import { MempoolMemory } from "./mempoolMemory.ts";
import { SequenceMemory } from "./sequenceMemory.ts";

/** For how long the chain's gas price is taken as unchanged: it is a setting that people change. */
const priceMemoryMs = 60_000;

/** What the chain keeps of an account that signs; both 0 for one that never had anything. */
export interface AccountState {
  readonly accountNumber: bigint;
  /** The sequence of its next transaction, transactions in no block yet not counted. */
  readonly sequence: bigint;
}

/** A balance in the smallest unit of its denomination. */
export interface Balance {
  readonly denom: string;
  readonly amount: bigint;
}

/** How a signer asks its chain about its account. */
export interface SignerChain {
  readAccountState(signal: AbortSignal | undefined): Promise<AccountState>;
  /** The price that the chain asks for gas; undefined where it asks for nothing. */
  readGasPrice(signal: AbortSignal | undefined): Promise<GasPrice | undefined>;
  /** The balance in `denom`, or in the first denomination that there is anything of where none is asked for. */
  readBalance(denom: string | undefined, signal: AbortSignal | undefined): Promise<Balance>;
}

/** What {@link TransactionSigner} is made of. */
export interface TransactionSignerParts<Message> {
  readonly chain: SignerChain;
  readonly chainId: string;
  readonly account: CosmosAccount<Message>;
  /** The price to pay; without it the chain is asked. */
  readonly gasPrice: GasPrice | undefined;
}

/** One account's transactions on one chain of the Cosmos SDK: sequence, fee, signature and hash. */
export class TransactionSigner<Message> {
  readonly account: CosmosAccount<Message>;
  readonly #sequence = new SequenceMemory();
  readonly #mempool = new MempoolMemory();
  readonly #chain: SignerChain;
  readonly #chainId: string;
  readonly #givenPrice: GasPrice | undefined;
  #askedPrice: { readonly value: GasPrice | undefined; readonly readAt: number } | undefined;
  #accountNumber: bigint | undefined;

  constructor({ chain, chainId, account, gasPrice }: TransactionSignerParts<Message>) {
    this.account = account;
    this.#chain = chain;
    this.#chainId = chainId;
    this.#givenPrice = gasPrice;
  }

  /** The sequence of the next transaction, those that wait for a block counted as far as is known. */
  async readSequence(signal: AbortSignal | undefined): Promise<bigint> {
    const { accountNumber, sequence } = await this.#chain.readAccountState(signal);
    this.#accountNumber = accountNumber;
    return this.#sequence.next(sequence);
  }

  async sign(message: Message, { sequence, gas, signal }: SignOptions): Promise<SignedTransaction> {
    this.#accountNumber ??= (await this.#chain.readAccountState(signal)).accountNumber;
    const price = await this.#gasPrice(signal);
    const bytes = await this.account.signTransaction({
      message,
      chainId: this.#chainId,
      accountNumber: this.#accountNumber,
      sequence,
      gas,
      isQueued: this.#mempool.isQueued,
      fee: price === undefined ? undefined : { denom: price.denom, amount: feeOf(price, gas) },
    });
    return { hash: createHash("sha256").update(bytes).digest("hex").toUpperCase(), sequence, gas, bytes };
  }

  /** Learns from a refusal which sequence the node expects, in which form it takes a transaction, and that its price rose. */
  noteRefusal(transaction: SignedTransaction, { refusal, details = "" }: BroadcastError): void {
    this.#mempool.noteRefusal(transaction, details);
    if (refusal === "sequence") this.#sequence.noteRefusal(details);
    if (refusal === "fee") this.#askedPrice = undefined;
  }

  async readFees(signal: AbortSignal | undefined): Promise<FeeQuote> {
    const price = await this.#gasPrice(signal);
    const { denom, amount: balance } = await this.#chain.readBalance(price?.denom, signal);
    const { amount, per } = price ?? { amount: 0n, per: 1n };
    // No interface tells how many decimals people give a denomination, so amounts are shown in the smallest unit.
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
