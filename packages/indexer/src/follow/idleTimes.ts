import { EventEmitter, once } from "node:events";

/** The times in which the follower has read all blocks, so that other work may use the node. */
export class IdleTimes {
  readonly #changes = new EventEmitter();
  #isIdle = false;
  #number = 0;

  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** Begins an idle time, unless one has begun. */
  begin(): void {
    if (this.#isIdle) return;
    this.#isIdle = true;
    this.#number += 1;
    this.#changes.emit("begin");
  }

  end(): void {
    this.#isIdle = false;
  }

  /**
   * Waits until the follower is idle, in a later idle time than the one with the number `after`.
   *
   * @returns the number of the idle time, from 1.
   * @throws the signal's reason when aborted.
   */
  async until(after: number, signal: AbortSignal): Promise<number> {
    while (!this.#isIdle || this.#number <= after) {
      try {
        await once(this.#changes, "begin", { signal });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    }
    return this.#number;
  }
}
