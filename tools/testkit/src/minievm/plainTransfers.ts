import { keccak256, type parseTransaction, type TransactionSerialized } from "viem";
import type { CallMethod } from "../proxy/rpcCalls.ts";
import type { JsonObject } from "./minievmShapes.ts";

/** The most gas with which a plain transfer was seen to fail: minievm's fee token is an ERC-20, and moving it is a call. */
const failingGas = 100_000n;

/**
 * Transfers of value that fail on minievm because of too little gas. The chain behind the double executes them, so their value
 * is moved back as soon as their block is seen.
 */
export class PlainTransfers {
  readonly #upstream: CallMethod;
  readonly #waiting = new Map<string, { readonly from: string; readonly to: string; readonly value: bigint }>();
  readonly #failed = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  constructor(upstream: CallMethod) {
    this.#upstream = upstream;
  }

  /** Records a transaction that the chain has accepted. */
  observe(raw: TransactionSerialized, from: string, transaction: ReturnType<typeof parseTransaction>): void {
    const { to, value = 0n, data = "0x", gas = 0n } = transaction;
    if (to === null || to === undefined || value === 0n || data !== "0x" || gas > failingGas) return;
    this.#waiting.set(keccak256(raw), { from, to, value });
  }

  /** Moves the value of included transfers back; await it before showing the state of a new block. */
  undoIncluded(): Promise<void> {
    // One after the other: a second caller must not continue before the first has moved the value.
    this.#last = this.#last.catch(() => undefined).then(() => this.#undo());
    return this.#last;
  }

  /** A receipt as minievm returns it: a transfer without enough gas has failed and used all of its gas. */
  correct(receipt: JsonObject | null): JsonObject | null {
    return receipt !== null && this.#failed.has(String(receipt["transactionHash"]))
      ? { ...receipt, status: "0x0" }
      : receipt;
  }

  async #undo(): Promise<void> {
    for (const [hash, transfer] of this.#waiting) {
      if ((await this.#upstream("eth_getTransactionReceipt", [hash])) === null) continue;
      this.#waiting.delete(hash);
      this.#failed.add(hash);
      await this.#add(transfer.to, -transfer.value);
      await this.#add(transfer.from, transfer.value);
    }
  }

  async #add(account: string, value: bigint): Promise<void> {
    const balance = BigInt(String(await this.#upstream("eth_getBalance", [account, "latest"])));
    await this.#upstream("hardhat_setBalance", [account, `0x${(balance + value).toString(16)}`]);
  }
}
