import type { NewestHeightOptions, PinnedOptions, ReadOptions } from "../readOptions.ts";
import { pollUntil } from "../time/pollUntil.ts";
import { nodeBehind } from "./nodeBehind.ts";
import { patienceMs } from "../time/patience.ts";

/**
 * Keeps the reads of one connection from going back behind what it has seen. Endpoints of public rollups are balanced over
 * several nodes, so the next answer may be of an older state than the one before.
 */
export class HeightFloor {
  readonly #endpoint: string;
  readonly #read: (signal: AbortSignal | undefined) => Promise<bigint>;
  #height = 0n;

  /**
   * @param endpoint - Where requests go, without credentials; for messages.
   * @param read - Asks the endpoint once for the newest height whose state can be read.
   */
  constructor(endpoint: string, read: (signal: AbortSignal | undefined) => Promise<bigint>) {
    this.#endpoint = endpoint;
    this.#read = read;
  }

  /** Notes a height that the connection has seen: of a block with its transaction. */
  raise(height: bigint): void {
    if (height > this.#height) this.#height = height;
  }

  /**
   * The newest height, never below one that was seen before: a node behind is waited for, ten seconds at most.
   *
   * @throws NodeError `NODE_BEHIND`; what reading throws.
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

  /** Options under which several reads see one state, which is not behind what the connection has seen. */
  async pin({ height, signal }: ReadOptions): Promise<PinnedOptions> {
    return { height: height ?? (await this.getHeight({ signal })), signal };
  }
}
