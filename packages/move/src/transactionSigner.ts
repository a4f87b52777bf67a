import type { Msg } from "@initia/initia.js";
import type { FeeQuote, SignedTransaction } from "@vipscore/core";
import { feeOf, SequenceMemory, type GasPrice } from "@vipscore/core/cosmos";
import { createHash } from "node:crypto";
import { readAccountState } from "./accountState.ts";
import { readBalance, readGasPrice } from "./fees.ts";
import type { MoveAccount } from "./moveAccount.ts";
import type { RestClient } from "@vipscore/core/http";

/** For how long the chain's gas price is taken as unchanged: it is a setting that people change. */
const priceMemoryMs = 60_000;

/** What {@link TransactionSigner} is made of. */
export interface TransactionSignerParts {
  readonly rest: RestClient;
  readonly chainId: string;
  readonly account: MoveAccount;
  /** The price to pay; without it the chain is asked. */
  readonly gasPrice: GasPrice | undefined;
}

/** One account's transactions on one chain: sequence, fee, signature and hash. */
export class TransactionSigner {
  readonly account: MoveAccount;
  /** What refusals say of the next sequence. */
  readonly sequence = new SequenceMemory();
  readonly #rest: RestClient;
  readonly #chainId: string;
  readonly #givenPrice: GasPrice | undefined;
  #askedPrice: { readonly value: GasPrice | undefined; readonly readAt: number } | undefined;
  #accountNumber: bigint | undefined;

  constructor({ rest, chainId, account, gasPrice }: TransactionSignerParts) {
    this.account = account;
    this.#rest = rest;
    this.#chainId = chainId;
    this.#givenPrice = gasPrice;
  }

  /** The sequence of the next transaction, those that wait for a block counted as far as is known. */
  async readSequence(signal: AbortSignal | undefined): Promise<bigint> {
    const { accountNumber, sequence } = await readAccountState(this.#rest, this.account.address, signal);
    this.#accountNumber = accountNumber;
    return this.sequence.next(sequence);
  }

  async sign(
    message: Msg,
    { sequence, gas, signal }: { readonly sequence: bigint; readonly gas: bigint; readonly signal?: AbortSignal },
  ): Promise<SignedTransaction> {
    this.#accountNumber ??= (await readAccountState(this.#rest, this.account.address, signal)).accountNumber;
    const price = await this.#gasPrice(signal);
    const bytes = await this.account.signTransaction({
      message,
      chainId: this.#chainId,
      accountNumber: this.#accountNumber,
      sequence,
      gas,
      fee: price === undefined ? undefined : `${feeOf(price, gas)}${price.denom}`,
    });
    return { hash: createHash("sha256").update(bytes).digest("hex").toUpperCase(), sequence, gas, bytes };
  }

  async readFees(signal: AbortSignal | undefined): Promise<FeeQuote> {
    const price = await this.#gasPrice(signal);
    const { denom, amount: balance } = await readBalance(this.#rest, this.account.address, price?.denom, signal);
    const { amount, per } = price ?? { amount: 0n, per: 1n };
    // No interface tells how many decimals people give a denomination, so amounts are shown in the smallest unit.
    return { balance, gasPrice: { amount, per }, token: { symbol: denom, decimals: 0 } };
  }

  async #gasPrice(signal: AbortSignal | undefined): Promise<GasPrice | undefined> {
    if (this.#givenPrice !== undefined) return this.#givenPrice;
    if (this.#askedPrice === undefined || performance.now() - this.#askedPrice.readAt > priceMemoryMs) {
      this.#askedPrice = { value: await readGasPrice(this.#rest, signal), readAt: performance.now() };
    }
    return this.#askedPrice.value;
  }
}
