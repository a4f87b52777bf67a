import { expectedSequence } from "./refusals.ts";

/**
 * The sequence of an account's next transaction. A node of the Cosmos SDK tells it without the transactions that wait for
 * a block; of those it is known only from the text with which it refuses another sequence.
 */
export class SequenceMemory {
  #expected: bigint | undefined;

  /** Remembers the sequence that a node expects, where the text of its refusal names it. */
  noteRefusal(text: string): void {
    this.#expected = expectedSequence(text) ?? this.#expected;
  }

  /** The next sequence, where the chain's state says `inState`. What was remembered counts once: what waited then may be in a block or gone by the next time. */
  next(inState: bigint): bigint {
    const expected = this.#expected ?? inState;
    this.#expected = undefined;
    return expected > inState ? expected : inState;
  }
}
