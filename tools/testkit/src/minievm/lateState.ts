import { JsonRpcFailure } from "@vipscore/localnet";
import { fuzzSeed } from "../fuzzSeed.ts";
import { seededRandom } from "../seededRandom.ts";

/** The longest time measured on minievm between a receipt and its state, in milliseconds. */
const longestLagMs = 330;

/**
 * Decides which state a minievm node shows: it publishes a block and its receipts before it commits the block's state.
 *
 * A block counts as made when the double first sees it, so that a block's lag cannot pass before anybody
 * sees the block.
 */
export class LateState {
  #head = -1n;
  #visibleAt = 0;
  readonly #drawLagMs: () => number;

  /**
   * @param stateLagMs - Milliseconds between each block and its state. Default: from 0 to 330, drawn for each block from a
   * printed seed.
   */
  constructor(stateLagMs?: number) {
    if (stateLagMs === undefined) {
      const random = seededRandom(fuzzSeed());
      this.#drawLagMs = () => random.below(longestLagMs + 1);
    } else {
      this.#drawLagMs = () => stateLagMs;
    }
  }

  /** Records the newest block. A lower height than before comes from an answer that was overtaken, and changes nothing. */
  observe(head: bigint): void {
    if (head <= this.#head) return;
    const isFirst = this.#head < 0n;
    this.#head = head;
    // The chain's state at the start is already committed.
    this.#visibleAt = isFirst ? 0 : performance.now() + this.#drawLagMs();
  }

  /** Height of the newest observed block. */
  get head(): bigint {
    return this.#head;
  }

  /**
   * Height of the newest readable state: the newest block's or the one before. Never older, because a node
   * commits a block before it executes the next.
   */
  get committed(): bigint {
    return this.#head > 0n && performance.now() < this.#visibleAt ? this.#head - 1n : this.#head;
  }
}

/**
 * Returns the height, as a JSON-RPC quantity, of the state that minievm reads for a block parameter: a tag and the newest
 * block's number both mean the newest committed state (v1.2.18, `CreateQueryContext` of its JSON-RPC backend).
 *
 * @throws JsonRpcFailure -32000 for a height that does not exist yet.
 */
export function stateHeight(state: LateState, block: unknown): string {
  if (typeof block !== "string" || !block.startsWith("0x")) {
    return block === "earliest" ? block : quantity(state.committed);
  }
  const height = BigInt(block);
  if (height > state.head) {
    throw new JsonRpcFailure(-32000, "requested height is greater than the latest block height");
  }
  return quantity(height < state.committed ? height : state.committed);
}

function quantity(height: bigint): string {
  return `0x${height.toString(16)}`;
}
