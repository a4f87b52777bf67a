import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";

/** The longest time that was measured on minievm between a receipt and its state, in milliseconds. */
const longestLagMs = 330;

/**
 * Which state a minievm node shows: it publishes a block and its receipts before it commits the block's state.
 *
 * A block counts as made when the double first learns of it, so that nobody can see a block whose lag has already passed
 * unseen.
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

  /** Takes note of the newest block. A lower height than before is an answer that was overtaken, and changes nothing. */
  observe(head: bigint): void {
    if (head <= this.#head) return;
    const isFirst = this.#head < 0n;
    this.#head = head;
    // The chain that the double starts on was committed before.
    this.#visibleAt = isFirst ? 0 : performance.now() + this.#drawLagMs();
  }

  /** Height of the newest block that was observed. */
  get head(): bigint {
    return this.#head;
  }

  /**
   * Height of the newest state that can be read: the newest block's or the one before. Never an older one, because a node
   * commits a block before it executes the next.
   */
  get committed(): bigint {
    return this.#head > 0n && performance.now() < this.#visibleAt ? this.#head - 1n : this.#head;
  }
}
