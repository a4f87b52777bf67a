import { NodeError } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { byPlace, hexField, type LogPlace } from "./rpcValues.ts";

/** An answer that contradicts itself, what was asked, or the chain. Nothing of it is used: it is asked for again. */
export class Contradiction extends NodeError {
  static override readonly className: string = "Contradiction";

  override readonly name: string = "Contradiction";

  constructor(endpoint: string, details: string) {
    super(`${endpoint} contradicts itself: it answered with ${details}`, {
      code: "NODE_BAD_RESPONSE",
      details,
      isTransient: true,
      metaMessages: ["Nothing of the answer was used. Use another node if this goes on."],
    });
  }
}

/** What the logs of an answer must agree with. */
interface LogCheck<L> {
  readonly endpoint: string;
  readonly keep: (log: Answer) => L | undefined;
  /** True for a log that was asked for. Default: all, as in a receipt. */
  readonly isAsked?: (log: Answer) => boolean;
  /** The heights that were asked for, inclusive. */
  readonly range: readonly [first: number, last: number];
  /** The hashes of blocks by height, as far as they are known; those that the logs name are added. */
  readonly hashes: Map<number, string>;
  /**
   * Gets the transactions of logs of a block that may be the same but for their places: a contract may repeat an event, and a node
   * may give one log several indexes (graph-node 2470). Their receipts show which.
   */
  readonly alike?: Set<string>;
}

/**
 * Creates a function that returns what is kept of each log of one answer, called with the logs in their order, from index 0 on.
 *
 * It drops a log that was not asked for, and throws Contradiction for one that was removed from the chain, comes twice, is of a
 * height that was not asked for, or of another block than the others at its height, or whose transaction is in two places; errors
 * of `keep`.
 */
export function logChecker<L extends LogPlace>({ endpoint, keep, isAsked, range, hashes, alike }: LogCheck<L>) {
  const [first, last] = range;
  let kept: L[] = [];
  /** The places of `kept`, once they are not ascending: until then none comes twice. */
  let places: Set<string> | undefined;
  /** The places of the transactions of `kept`. */
  const spots = new Map<string, number>();
  /** The transactions of the first of the logs that end alike. */
  const firsts = new Map<string, string>();
  return (log: Answer, index: number): L | undefined => {
    // An answer that broke off is read again.
    if (index === 0) {
      [kept, places] = [[], undefined];
      for (const some of [spots, firsts, alike]) some?.clear();
    }
    const refuse = (details: string): never => {
      throw new Contradiction(endpoint, details);
    };
    if (log.object()["removed"] === true) refuse("a log that was removed from the chain");
    // Nodes differ in whether a log with fewer topics than the filter, which names none of the others, fits.
    if (isAsked?.(log) === false) return undefined;
    const found = keep(log);
    if (found === undefined) return undefined;
    const { height, transactionIndex, logIndex, txHash } = found;
    if (height < first || height > last) refuse(`a log of block ${height}, asked for ${first} to ${last}`);
    const hash = log.object()["blockHash"] === undefined ? undefined : hexField(log, "blockHash", 32);
    if (hash !== undefined && (hashes.get(height) ?? hash) !== hash) {
      refuse(`two blocks at height ${height}, ${hash} and ${hashes.get(height)}`);
    }
    if (hash !== undefined) hashes.set(height, hash);
    const before = kept.at(-1);
    if (places === undefined && before !== undefined && byPlace(before, found) >= 0)
      places = new Set(kept.flatMap(keysOf));
    for (const key of keysOf(found)) {
      if (places?.has(key) === true) refuse(`log ${logIndex} of transaction ${txHash} twice`);
      places?.add(key);
    }
    // Below 2^20 transactions in a block: more than its receipts could be read of.
    const spot = height * 2 ** 20 + transactionIndex;
    if ((spots.get(txHash) ?? spot) !== spot) refuse(`transaction ${txHash} in two places`);
    spots.set(txHash, spot);
    const ends = alike === undefined ? "" : `${height} ${endsOf(log)}`;
    const other = firsts.get(ends);
    if (other === undefined) firsts.set(ends, txHash);
    else alike?.add(other).add(txHash);
    kept.push(found);
    return found;
  };
}

/** A transaction has one hash and one index: either makes two logs the same. */
function keysOf({ height, txHash, transactionIndex, logIndex }: LogPlace): readonly string[] {
  return [`${height} ${txHash} ${logIndex}`, `${height} ${transactionIndex} ${logIndex}`];
}

/** The ends of a log's words: shorter than the log, and the same for the same log. */
function endsOf(log: Answer): string {
  const { address, topics, data } = log.object();
  const text = String(data);
  let ends = String(address).slice(-8);
  for (const topic of Array.isArray(topics) ? topics : []) ends += String(topic).slice(-8);
  for (let end = 66; end <= text.length; end += 64) ends += text.slice(end - 8, end);
  return ends.toLowerCase();
}
