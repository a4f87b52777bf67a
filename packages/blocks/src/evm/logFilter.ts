import type { Answer } from "@vipscore/core/wire";
import { hexField, topicsOf } from "./rpcValues.ts";

/** The logs to read, as in `eth_getLogs`. */
export interface LogFilter {
  /** Contracts whose logs are read, at least one; default: all contracts. */
  readonly addresses?: readonly `0x${string}`[] | undefined;
  /**
   * For each position the topic that a log must have there, or several of which it must have one; `null` for any topic.
   * A log must have at least as many topics. Default: all logs.
   */
  readonly topics?: readonly (string | readonly string[] | null)[] | undefined;
}

/** The logs to read, and the parts of them to keep. */
export interface LogChoice<L> {
  /** A log that several filters ask for can be returned several times. */
  readonly filters: readonly LogFilter[];
  /** The part to keep of a log that a filter asks for; undefined keeps nothing. Its errors are those of the answer. */
  readonly keep: (log: Answer) => L | undefined;
}

/** The filter with addresses and topics as a node writes them. */
export function lowerFilter({ addresses, topics }: LogFilter): LogFilter {
  return {
    addresses: addresses?.map(lowered),
    topics: topics?.map((topic) => {
      if (topic === null) return null;
      return typeof topic === "string" ? lowered(topic) : topic.map(lowered);
    }),
  };
}

function lowered(hex: string): `0x${string}` {
  return `0x${hex.slice(2).toLowerCase()}`;
}

/** The filter as a parameter of `eth_getLogs`, without the blocks. */
export function filterParameter({ addresses, topics }: LogFilter): object {
  return { ...(addresses === undefined ? {} : { address: addresses }), ...(topics === undefined ? {} : { topics }) };
}

/**
 * True if a filter in lowercase asks for a log of a node's answer. Receipts have all logs of a transaction.
 *
 * @throws UnreadableAnswer for what is not a log.
 */
export function matchesFilter({ addresses, topics = [] }: LogFilter, log: Answer): boolean {
  if (addresses !== undefined && !addresses.includes(hexField(log, "address", 20))) return false;
  const found: readonly string[] = topicsOf(log);
  if (found.length < topics.length) return false;
  return topics.every((wanted, index) => {
    if (wanted === null) return true;
    const topic = found[index] ?? "";
    return typeof wanted === "string" ? topic === wanted : wanted.includes(topic);
  });
}
