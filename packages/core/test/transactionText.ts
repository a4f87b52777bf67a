import type { ContractCall } from "../src/scoreContract.ts";

/** A transaction of the chain in memory. */
interface Transaction {
  readonly call: ContractCall;
  readonly sequence: bigint;
  readonly gas: bigint;
  readonly price: bigint;
}

export function encode(transaction: Transaction): Uint8Array {
  const write = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}n` : value);
  return Buffer.from(JSON.stringify(transaction, write));
}

export function decode(bytes: Uint8Array): Transaction {
  return JSON.parse(Buffer.from(bytes).toString(), (_, value: unknown) =>
    typeof value === "string" && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  ) as Transaction;
}
