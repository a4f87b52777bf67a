import { createHash } from "node:crypto";
import {
  formatChecksummed,
  VipError,
  type BroadcastError,
  type FeeQuote,
  type GasQuote,
  type ReadOptions,
  type SignedTransaction,
  type SignOptions,
} from "@vipscore/core";
import { requireFee } from "@vipscore/core/engine";
import { isNotFound, undefinedIf, type Answer, type RestClient } from "@vipscore/core/wire";
import type { CosmosAccount, CosmosMessage } from "./cosmosAccount.ts";
import { coinIn, feeOf, readCoins, readRestGasPrice, type Coin, type GasPrice } from "./gasPrice.ts";
import { expectedSequence } from "./refusals.ts";

/** Time for which the chain's gas price is assumed unchanged; people can change this setting. */
const priceMemoryMs = 60_000;

/**
 * Returns a chain's price of gas for a quote.
 *
 * @param price Undefined if gas is free.
 */
export function gasQuote(price: GasPrice | undefined, symbol = price?.denom ?? ""): GasQuote {
  const { amount, per } = price ?? { amount: 0n, per: 1n };
  // No interface returns the decimals of a denomination, so amounts are shown in the smallest unit.
  return { gasPrice: { amount, per }, token: { symbol, decimals: 0 } };
}

/** One account's transactions on one Cosmos SDK chain: sequence, fee, signature and hash. */
export class TransactionSigner {
  readonly account: CosmosAccount;
  readonly #sequence = new SequenceMemory();
  readonly #mempool = new MempoolMemory();
  readonly #rest: RestClient;
  readonly #chainId: string;
  readonly #givenPrice: GasPrice | undefined;
  #askedPrice: { readonly value: GasPrice | undefined; readonly readAt: number } | undefined;
  #accountNumber: bigint | undefined;

  /** Signs on the chain behind an endpoint, and pays `gasPrice`; undefined for the chain's. */
  constructor(
    rest: RestClient,
    { chainId, account, gasPrice }: { chainId: string; account: CosmosAccount; gasPrice: GasPrice | undefined },
  ) {
    this.account = account;
    this.#rest = rest;
    this.#chainId = chainId;
    this.#givenPrice = gasPrice;
  }

  /** The sequence of the next transaction, known pending transactions included; with a height, that of its state. */
  async readSequence(options: ReadOptions): Promise<bigint> {
    const { accountNumber, sequence = 0n } = (await findAccountState(this.#rest, this.account.address, options)) ?? {};
    // A number never changes; a node that lags may not know the account.
    this.#accountNumber = accountNumber ?? this.#accountNumber;
    return options.height === undefined ? this.#sequence.next(sequence) : sequence;
  }

  async sign(message: CosmosMessage, { sequence, gas, maxFee, signal }: SignOptions): Promise<SignedTransaction> {
    this.#accountNumber ??= (await findAccountState(this.#rest, this.account.address, { signal }))?.accountNumber;
    if (this.#accountNumber === undefined) throw unknownSigner(this.account, this.#chainId);
    const price = await this.#gasPrice(signal);
    const amount = price === undefined ? 0n : feeOf(price, gas);
    requireFee("the next transaction", amount, maxFee, { symbol: price?.denom ?? "", decimals: 0 });
    const { canQueue } = this.account;
    const bytes = await this.account.signTransaction({
      message,
      chainId: this.#chainId,
      accountNumber: this.#accountNumber,
      sequence,
      gas,
      isQueued: canQueue && this.#mempool.isQueued,
      fee: price && { denom: price.denom, amount },
    });
    const hash = createHash("sha256").update(bytes).digest("hex").toUpperCase();
    return { hash, sequence, gas, bytes, fee: amount, ...(canQueue ? {} : { hasOtherForm: false }) };
  }

  /** Learns from a refusal which sequence the node expects, which form of a transaction it accepts, and that its price rose. */
  noteRefusal(transaction: SignedTransaction, { refusal, details = "" }: BroadcastError): void {
    this.#mempool.noteRefusal(transaction, details);
    if (refusal === "sequence") this.#sequence.noteRefusal(details);
    if (refusal === "fee") this.#askedPrice = undefined;
  }

  async readFees(signal: AbortSignal | undefined): Promise<FeeQuote> {
    const price = await this.#gasPrice(signal);
    const balances = await readBalances(this.#rest, this.account.address, signal);
    const { denom, amount: balance } = coinIn(balances, price?.denom);
    return { balance, ...gasQuote(price, denom) };
  }

  async #gasPrice(signal: AbortSignal | undefined): Promise<GasPrice | undefined> {
    if (this.#givenPrice !== undefined) return this.#givenPrice;
    if (this.#askedPrice === undefined || performance.now() - this.#askedPrice.readAt > priceMemoryMs) {
      this.#askedPrice = { value: await readRestGasPrice(this.#rest, signal), readAt: performance.now() };
    }
    return this.#askedPrice.value;
  }
}

/** The chain's record of a signing account. */
export interface AccountState {
  readonly accountNumber: bigint;
  /** The sequence of its next transaction, without pending transactions. */
  readonly sequence: bigint;
}

/** Reads an account's number and sequence; undefined for an account unknown to the chain, which never received anything. */
export function findAccountState(
  rest: RestClient,
  address: string,
  options: ReadOptions,
): Promise<AccountState | undefined> {
  const read = (answer: Answer): AccountState => {
    const info = answer.field("info");
    return { accountNumber: info.field("account_number").u64(), sequence: info.field("sequence").u64() };
  };
  return undefinedIf(isNotFound, rest.get(`/cosmos/auth/v1beta1/account_info/${address}`, read, options));
}

export function readBalances(
  rest: RestClient,
  address: string,
  signal: AbortSignal | undefined,
): Promise<readonly Coin[]> {
  const read = (answer: Answer): readonly Coin[] => readCoins(answer.field("balances").elements());
  return rest.get(`/cosmos/bank/v1beta1/balances/${address}`, read, { signal, query: { "pagination.limit": "1000" } });
}

/** Returns the error for a signer that its chain does not know, so that it has no number to sign with. */
export function unknownSigner({ address, account }: CosmosAccount, chainId: string): VipError {
  return new VipError(`${address} (${formatChecksummed(account)}) is not an account of ${chainId} yet`, {
    code: "INSUFFICIENT_FUNDS",
    metaMessages: [
      "A chain knows an account only once it has received tokens, also where gas is free: send it a little of the token that pays for gas, then try again. Nothing was sent.",
    ],
  });
}

/** The critical extension that asks the mempool of initia v1.4 and later to queue a transaction. Its value is empty. */
export const queuedTxTypeUrl = "/initia.tx.v1.ExtensionOptionQueuedTx";

/** A node's refusal of a plain transaction whose sequence is ahead of committed state; recorded on minimove and miniwasm. */
const asksForQueue = /use extension option \S*ExtensionOptionQueuedTx/;

/**
 * Refusals of the extension: from initia v1.2 (recorded), from a Cosmos SDK chain that does not know the extension
 * (`x/auth/ante/ext.go`) or its type (`codec/types/interface_registry.go`).
 */
const refusesQueue =
  /index out of range \[0\] with length 0|unknown extension options|unable to resolve type URL \S*ExtensionOptionQueuedTx/;

type RefusedTransaction = Pick<SignedTransaction, "bytes" | "hasOtherForm">;

/**
 * The form in which a node accepts a transaction whose sequence is ahead of committed state: plain, or with the extension
 * {@link queuedTxTypeUrl}. Nodes of initia v1.2 refuse the extension and nodes of v1.4 require it; only their refusals
 * show which. So the first transactions are plain, and a refusal changes the form.
 */
export class MempoolMemory {
  #isQueued = false;

  /** True if transactions must carry the extension. */
  get isQueued(): boolean {
    return this.#isQueued;
  }

  /** Learns from the text with which a node refused a transaction. */
  noteRefusal(transaction: RefusedTransaction, text: string): void {
    if (isFormRefusal(transaction, text)) this.#isQueued = asksForQueue.test(text);
  }
}

/** True if the node refused the form of a transaction and accepts the other form. */
export function isFormRefusal({ bytes, hasOtherForm = true }: RefusedTransaction, text: string): boolean {
  if (!hasOtherForm) return false;
  // The transaction contains the type as text; a refusal counts only for the form that the transaction has.
  return Buffer.from(bytes).includes(queuedTxTypeUrl) ? refusesQueue.test(text) : asksForQueue.test(text);
}

/**
 * The sequence of an account's next transaction. A Cosmos SDK node reports it without pending transactions; the sequence
 * that includes them appears only in the text of a refusal.
 */
export class SequenceMemory {
  #expected: bigint | undefined;

  /** Remembers the sequence that a node expects, if the text of its refusal names it. */
  noteRefusal(text: string): void {
    this.#expected = expectedSequence(text) ?? this.#expected;
  }

  /**
   * Returns the next sequence, given the chain's state. A remembered sequence is used once: by the next call, pending
   * transactions may be in a block or dropped.
   */
  next(inState: bigint): bigint {
    const expected = this.#expected ?? inState;
    this.#expected = undefined;
    return expected > inState ? expected : inState;
  }
}
