import { expectedSequence } from "./refusals.ts";

/**
 * The sequence of an account's next transaction. A Cosmos SDK node reports it without pending transactions; the sequence
 * that includes them appears only in the text of a refusal.
 */
export class SequenceMemory {
  #expected: bigint | undefined;

  /** Remembers the sequence that a node expects, if the text of its refusal names it. */
  noteRefusal(text: string): void {
    this.#expected = expectedSequence(text) ?? this.#expected;
  }

  /**
   * Returns the next sequence, given the chain's state. A remembered sequence is used once: by the next call, pending
   * transactions may be in a block or dropped.
   */
  next(inState: bigint): bigint {
    const expected = this.#expected ?? inState;
    this.#expected = undefined;
    return expected > inState ? expected : inState;
  }
}
