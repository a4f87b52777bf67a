import { RangeTooLargeError } from "@vipscore/blocks";
import { NodeError } from "@vipscore/core";
import {
  maxChanges,
  type HexAddress,
  type NftBlock,
  type NftChain,
  type ReadBlocksOptions,
} from "../chain/nftChain.ts";
import { patiently, type Patience } from "./patiently.ts";

/** Number of blocks in the first read, before it is known how full they are. */
const firstWidth = 16;

/** Blocks read, up to `height`. */
export interface ReadRange {
  readonly blocks: readonly NftBlock[];
  readonly height: number;
  readonly blockHash: string;
  readonly changes: number;
}

/** Reads blocks range by range. */
export class RangeReader {
  readonly #chain: NftChain;
  readonly #known: Set<HexAddress>;
  readonly #patience: Patience;
  #width: number;

  /** @param known - The stored collections. Newly read collections are added. */
  constructor(chain: NftChain, known: Iterable<HexAddress>, patience: Patience) {
    this.#chain = chain;
    this.#known = new Set(known);
    this.#patience = patience;
    this.#width = Math.min(firstWidth, chain.blocksPerRead);
  }

  /**
   * Reads the blocks from `first` to `head` in ranges of suitable size. The next range is read while the caller uses
   * the current one.
   *
   * @throws the signal's reason; any error of the chain except a NodeError.
   */
  async *read(first: number, head: number): AsyncGenerator<ReadRange> {
    let next = this.#start(first, head);
    while (next !== undefined) {
      const range = await next;
      next = this.#start(range.height + 1, head);
      yield range;
    }
  }

  #start(first: number, head: number): Promise<ReadRange> | undefined {
    if (first > head) return undefined;
    const range = this.#readRange(first, Math.min(head, first + this.#width - 1));
    // A caller that stops early never reads it.
    range.catch(() => undefined);
    return range;
  }

  async #readRange(first: number, last: number): Promise<ReadRange> {
    const { signal } = this.#patience;
    const isKnown = (collectionAddr: HexAddress): boolean => this.#known.has(collectionAddr);
    // One after the other: a failure must not leave the other request running next to its own retry.
    const read = await patiently(async () => {
      const blocks = await this.#readBlocks(first, last, { isKnown, signal });
      return blocks && { blocks, blockHash: await this.#readHash(last) };
    }, this.#patience);
    if (read === undefined) return this.#readRange(first, Math.min(last, first + this.#width - 1));
    const { blocks, blockHash } = read;
    const changes = blocks.reduce((sum, block) => sum + block.changes.length, 0);
    for (const change of blocks.flatMap((block) => block.changes)) {
      if (change.kind === "collection") this.#known.add(change.collectionAddr);
    }
    this.#adapt(last - first + 1, changes);
    return { blocks, height: last, blockHash, changes };
  }

  /** Returns the blocks; undefined if there are too many, after lowering {@link RangeReader.#width}. */
  async #readBlocks(first: number, last: number, options: ReadBlocksOptions): Promise<readonly NftBlock[] | undefined> {
    try {
      return await this.#chain.readBlocks(first, last, options);
    } catch (error) {
      if (!(error instanceof RangeTooLargeError) || error.blocks > last - first) throw error;
      this.#width = error.blocks;
      return undefined;
    }
  }

  /** A few blocks at the head do not show how many can be read at once. */
  #adapt(width: number, changes: number): void {
    const isFull = width >= this.#width;
    if (changes > maxChanges) this.#width = Math.max(1, Math.floor((width * maxChanges) / changes));
    else if (isFull && changes < maxChanges / 4) this.#width = Math.min(this.#chain.blocksPerRead, this.#width * 2);
  }

  async #readHash(height: number): Promise<string> {
    const hash = await this.#chain.readBlockHash(height, this.#patience.signal);
    if (hash !== undefined) return hash;
    throw new NodeError(`the node does not have block ${height}, which it reported`, { code: "NODE_ERROR" });
  }
}
