import type { FeeQuote, SignedTransaction } from "@vipscore/core";
import { feeOf, SequenceMemory, type GasPrice } from "@vipscore/core/cosmos";
import { createHash } from "node:crypto";
import { readAccountState } from "./accountState.ts";
import type { CometRpc } from "./cometRpc.ts";
import { readBalance, readGasPrice } from "./fees.ts";
import type { WasmAccount, WasmMessage } from "./wasmAccount.ts";

/** For how long the chain's gas price is taken as unchanged: it is a setting that people change. */
const priceMemoryMs = 60_000;

/** What {@link TransactionSigner} is made of. */
export interface TransactionSignerParts {
  readonly comet: CometRpc;
  readonly chainId: string;
  readonly account: WasmAccount;
  /** The price to pay; without it the chain is asked. */
  readonly gasPrice: GasPrice | undefined;
}

/** One account's transactions on one chain: sequence, fee, signature and hash. */
export class TransactionSigner {
  readonly account: WasmAccount;
  /** What refusals say of the next sequence. */
  readonly sequence = new SequenceMemory();
  readonly #comet: CometRpc;
  readonly #chainId: string;
  readonly #givenPrice: GasPrice | undefined;
  #askedPrice: { readonly value: GasPrice | undefined; readonly readAt: number } | undefined;
  #accountNumber: bigint | undefined;

  constructor({ comet, chainId, account, gasPrice }: TransactionSignerParts) {
    this.account = account;
    this.#comet = comet;
    this.#chainId = chainId;
    this.#givenPrice = gasPrice;
  }

  /** The sequence of the next transaction, those that wait for a block counted as far as is known. */
  async readSequence(signal: AbortSignal | undefined): Promise<bigint> {
    const { accountNumber, sequence } = await readAccountState(this.#comet, this.account.address, signal);
    this.#accountNumber = accountNumber;
    return this.sequence.next(sequence);
  }

  async sign(
    message: WasmMessage,
    { sequence, gas, signal }: { readonly sequence: bigint; readonly gas: bigint; readonly signal?: AbortSignal },
  ): Promise<SignedTransaction> {
    this.#accountNumber ??= (await readAccountState(this.#comet, this.account.address, signal)).accountNumber;
    const price = await this.#gasPrice(signal);
    const bytes = await this.account.signTransaction({
      message,
      chainId: this.#chainId,
      accountNumber: this.#accountNumber,
      sequence,
      gas,
      fee: price === undefined ? undefined : { denom: price.denom, amount: feeOf(price, gas) },
    });
    return { hash: createHash("sha256").update(bytes).digest("hex").toUpperCase(), sequence, gas, bytes };
  }

  async readFees(signal: AbortSignal | undefined): Promise<FeeQuote> {
    const price = await this.#gasPrice(signal);
    const { denom, amount: balance } = await readBalance(this.#comet, this.account.address, price?.denom, signal);
    const { amount, per } = price ?? { amount: 0n, per: 1n };
    // No interface tells how many decimals people give a denomination, so amounts are shown in the smallest unit.
    return { balance, gasPrice: { amount, per }, token: { symbol: denom, decimals: 0 } };
  }

  async #gasPrice(signal: AbortSignal | undefined): Promise<GasPrice | undefined> {
    if (this.#givenPrice !== undefined) return this.#givenPrice;
    if (this.#askedPrice === undefined || performance.now() - this.#askedPrice.readAt > priceMemoryMs) {
      this.#askedPrice = { value: await readGasPrice(this.#comet, signal), readAt: performance.now() };
    }
    return this.#askedPrice.value;
  }
}
