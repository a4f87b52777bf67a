import type { NewestHeightOptions, PinnedOptions, ReadOptions } from "../readOptions.ts";
import { patienceMs, pollUntil } from "../time/patience.ts";
import { nodeBehind } from "./nodeBehind.ts";

/**
 * Keeps the reads of one connection from going back to older state. Endpoints of public rollups balance over
 * several nodes, so the next answer may come from an older state than the last.
 */
export class HeightFloor {
  readonly #endpoint: string;
  readonly #read: (signal: AbortSignal | undefined) => Promise<bigint>;
  #height = 0n;

  /**
   * @param endpoint - Where requests go, without credentials; for messages.
   * @param read - Reads the newest height with readable state from the endpoint, once.
   */
  constructor(endpoint: string, read: (signal: AbortSignal | undefined) => Promise<bigint>) {
    this.#endpoint = endpoint;
    this.#read = read;
  }

  /** Records the height of a block in which the connection saw its transaction. */
  raise(height: bigint): void {
    if (height > this.#height) this.#height = height;
  }

  /**
   * Returns the newest height, never below an earlier result; waits at most ten seconds for a node that is behind.
   *
   * @throws NodeError `NODE_BEHIND`; the errors of `read`.
   */
  async getHeight({ asks = 1, signal }: NewestHeightOptions = {}): Promise<bigint> {
    let shown = 0n;
    const newest = await pollUntil(
      async () => {
        const heights = await Promise.all(Array.from({ length: asks }, () => this.#read(signal)));
        shown = heights.reduce((high, next) => (next > high ? next : high));
        return shown < this.#height ? undefined : shown;
      },
      { timeoutMs: patienceMs.behind, signal },
    );
    if (newest === undefined) {
      throw nodeBehind(this.#endpoint, `it shows height ${shown}, and showed height ${this.#height} before`);
    }
    this.raise(newest);
    return newest;
  }

  /** Returns options with which several reads see one state, no older than any state that the connection has seen. */
  async pin({ height, signal }: ReadOptions): Promise<PinnedOptions> {
    return { height: height ?? (await this.getHeight({ signal })), signal };
  }
}
