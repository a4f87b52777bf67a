import { decodeErrorResult, isAddressEqual, parseEventLogs, type Abi, type Hash, type Hex } from "viem";
import type { Chain, Contract } from "./chain.ts";

/** An event of the called contract with its name and arguments, in the order in which the transaction emitted them. */
export interface ChainEvent {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The outcome of a transaction: its events, or the error that it reverted with. */
export interface Outcome {
  readonly events: readonly ChainEvent[];
  /** The name is empty if the revert has no data, as for a call that Solidity cannot decode. */
  readonly error?: { readonly name: string; readonly args: readonly unknown[] };
}

/**
 * All events of a contract in a transaction, in their order. The `emitWithArgs` of Hardhat's plugin passes as soon as one event
 * matches, also if others were emitted.
 */
export async function eventsOf(chain: Chain, contract: Contract, sent: Promise<Hash>): Promise<readonly ChainEvent[]> {
  const { logs } = await chain.reader.getTransactionReceipt({ hash: await sent });
  // A contract may call others, whose events it does not know.
  const own = logs.filter((log) => isAddressEqual(log.address, contract.address));
  // An event without arguments has none.
  return parseEventLogs({ abi: contract.abi, logs: own }).map(({ eventName, args }) => ({
    name: eventName,
    args: { ...(args as unknown as ChainEvent["args"] | undefined) },
  }));
}

/**
 * What came of a transaction, to compare with a model. Unlike the `revert` of Hardhat's plugin, it shows a panic and a revert
 * without data as different things.
 */
export async function outcomeOf(chain: Chain, contract: Contract, sent: Promise<Hash>): Promise<Outcome> {
  try {
    return { events: await eventsOf(chain, contract, sent) };
  } catch (cause) {
    return { events: [], error: decodeRevert(contract.abi, cause) };
  }
}

function decodeRevert(abi: Abi, cause: unknown): NonNullable<Outcome["error"]> {
  const data = revertData(cause);
  if (data === undefined) throw cause;
  if (data === "0x") return { name: "", args: [] };
  const { errorName, args } = decodeErrorResult({ abi, data });
  return { name: errorName, args: args ?? [] };
}

/** The revert data is that of one of the causes: as `data`, or as `data.data` for a failed transaction. */
function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof Error)) return undefined;
  const { data } = error as { readonly data?: Hex | { readonly data?: Hex } };
  const found = typeof data === "object" ? data.data : data;
  return typeof found === "string" ? found : revertData(error.cause);
}
