import { hexToBytes, keccak256, numberToHex, type Address, type Hex } from "viem";
import {
  NodeError,
  type BroadcastError,
  type FeeQuote,
  type GasQuote,
  type ReadOptions,
  type SignedTransaction,
  type SignOptions,
} from "@vipscore/core";
import { requireFee } from "@vipscore/core/engine";
import { undefinedIf, type Answer, type JsonRpc } from "@vipscore/core/wire";
import type { EvmAccount } from "./evmAccount.ts";

/** Time for which a gas price is cached, in milliseconds: the fee cap of a transaction leaves room for six full blocks. */
const priceMemoryMs = 2_000;

/** A node does not report its token's name. Rollups built from the minievm template call it GAS, with 18 decimals. */
const token = { symbol: "GAS", decimals: 18 };

/** Content of a transaction: calls a contract, or creates one if `to` is absent. */
export interface EvmMessage {
  readonly to?: Address;
  readonly data: Hex;
}

/** One account's transactions on one EVM chain: sequence, fee, signature and hash. */
export class EvmSigner {
  readonly account: EvmAccount;
  readonly #rpc: JsonRpc;
  readonly #chainId: bigint;
  #price: { readonly value: GasFees; readonly readAt: number } | undefined;

  constructor(rpc: JsonRpc, { chainId, account }: { readonly chainId: bigint; readonly account: EvmAccount }) {
    this.account = account;
    this.#rpc = rpc;
    this.#chainId = chainId;
  }

  /** The sequence of the next transaction, counting pending ones; with a height, that of its state. */
  readSequence({ height, signal }: ReadOptions): Promise<bigint> {
    const params = [this.account.address, height === undefined ? "pending" : numberToHex(height)];
    return this.#rpc.read("eth_getTransactionCount", params, (answer) => answer.quantity(), signal);
  }

  /**
   * Signs an EIP-1559 transaction with every field, so that no node has to fill, estimate or price anything: minievm has no
   * `eth_fillTransaction` and caps `eth_estimateGas` below the gas of a batch.
   */
  async sign({ to, data }: EvmMessage, { sequence, gas, maxFee, signal }: SignOptions): Promise<SignedTransaction> {
    const { expected, maxPriorityFeePerGas, ...fees } = await this.#gasFees(signal);
    requireFee("the next transaction", gas * expected, maxFee, token);
    const isCapped = maxFee !== undefined && gas * fees.maxFeePerGas > maxFee;
    const maxFeePerGas = isCapped ? maxFee / gas : fees.maxFeePerGas;
    const serialized = await this.account.signTransaction({
      type: "eip1559",
      chainId: Number(this.#chainId),
      nonce: Number(sequence),
      to: to ?? null,
      data,
      gas,
      value: 0n,
      maxFeePerGas,
      maxPriorityFeePerGas,
    });
    return { hash: keccak256(serialized), sequence, gas, bytes: hexToBytes(serialized), fee: gas * maxFeePerGas };
  }

  /** Drops the cached gas price after a refusal because of the fee. */
  noteRefusal(_: SignedTransaction, { refusal }: BroadcastError): void {
    if (refusal === "fee") this.#price = undefined;
  }

  async readFees(signal: AbortSignal | undefined): Promise<FeeQuote> {
    const [balance, quote] = await Promise.all([
      this.#rpc.read("eth_getBalance", [this.account.address, "latest"], (answer) => answer.quantity(), signal),
      readGasQuote(this.#rpc, signal),
    ]);
    return { balance, ...quote };
  }

  async #gasFees(signal: AbortSignal | undefined): Promise<GasFees> {
    if (this.#price === undefined || performance.now() - this.#price.readAt > priceMemoryMs) {
      this.#price = { value: await readGasFees(this.#rpc, signal), readAt: performance.now() };
    }
    return this.#price.value;
  }
}

export async function readGasQuote(rpc: JsonRpc, signal: AbortSignal | undefined): Promise<GasQuote> {
  const { expected } = await readGasFees(rpc, signal);
  return { gasPrice: { amount: expected, per: 1n }, token };
}

/** Current price of one unit of gas, in wei. All are 0 on a rollup that charges nothing. */
export interface GasFees {
  readonly expected: bigint;
  /** The transaction's fee cap: twice the base fee (it at most doubles in six blocks, EIP-1559) plus the tip. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Reads the base fee of the newest block, or of the next one if the node's gas price shows that it is higher, and the tip. */
export async function readGasFees(rpc: JsonRpc, signal: AbortSignal | undefined): Promise<GasFees> {
  const [baseFee, gasPrice, suggestedTip] = await Promise.all([
    rpc.read("eth_getBlockByNumber", ["latest", false], readBaseFee, signal),
    rpc.read("eth_gasPrice", [], (answer) => answer.quantity(), signal),
    readTip(rpc, signal),
  ]);
  // Without a suggested tip, the node's price above the base fee counts as the tip: all of it if blocks have no base fee.
  const leastTip = gasPrice > baseFee ? gasPrice - baseFee : 0n;
  const tip = suggestedTip > 0n ? suggestedTip : leastTip;
  // A node refuses by the base fee of the next block, which its price may already include.
  const next = suggestedTip > 0n && gasPrice - tip > baseFee ? gasPrice - tip : baseFee;
  return { expected: next + tip, maxFeePerGas: 2n * next + tip, maxPriorityFeePerGas: tip };
}

function readBaseFee(block: Answer): bigint {
  return block.optional("baseFeePerGas")?.quantity() ?? 0n;
}

/** The tip that the node suggests; 0 if it does not have the method, or a gateway forbids it: asked once. */
async function readTip(rpc: JsonRpc, signal: AbortSignal | undefined): Promise<bigint> {
  const asked = rpc.send("eth_maxPriorityFeePerGas", [], (answer) => answer.quantity(), signal);
  return (await undefinedIf((error) => error instanceof NodeError, asked)) ?? 0n;
}
