import { NodeError } from "@vipscore/core";
import { pause } from "@vipscore/core/engine";
import type { NftChain } from "../chain/nftChain.ts";
import type { IndexedChain } from "../store/indexedChain.ts";
import { times } from "../times.ts";
import { patiently, type Patience } from "./patiently.ts";
import { chainRestarted } from "./resumeChain.ts";

/** The part of a chain that shows its newest block. */
export type HeadChain = Pick<NftChain, "readHead" | "readBlockHash">;

/**
 * Checks in a row that see a head below the indexed height before the chain counts as restarted. A node behind a
 * balancer may lag for a moment.
 */
const lowHeadChecks = 10;

export interface NewHeadsOptions {
  readonly chain: HeadChain;
  /** Milliseconds between checks. */
  readonly pollMs: number;
  /** Stores the chain's newest height, and when it was seen, in milliseconds since 1970. */
  readonly noteHead: (head: number, at: number) => Promise<void>;
  /** Called before each pause. */
  readonly onIdle?: (() => void) | undefined;
}

/** Watches the newest block of a chain that must not reorganize. */
export class NewHeads {
  readonly #options: NewHeadsOptions;
  readonly #patience: Patience;
  #noted: { readonly head: number; readonly at: number } | undefined;

  constructor(options: NewHeadsOptions, patience: Patience) {
    this.#options = options;
    this.#patience = patience;
  }

  /**
   * Waits for a block above the indexed height, or for one pause, and returns the newest height. The indexed block is still the
   * chain's then.
   *
   * @throws VipError `CHAIN_RESTARTED`.
   */
  async next(indexed: IndexedChain, { isPatient = true } = {}): Promise<number> {
    const { chain, pollMs, onIdle } = this.#options;
    let low = 0;
    for (let look = 1; ; look += 1) {
      const head = await patiently(() => chain.readHead(this.#patience.signal), this.#patience);
      await this.note(head);
      const isLastLook = head > indexed.height || (!isPatient && look > 1 && head === indexed.height);
      // Without a new block, a restarted chain may be at exactly the old height.
      if (isLastLook || (look === 1 && head === indexed.height)) await this.#checkSame(indexed);
      if (isLastLook) return head;
      // Before anything is indexed there is nothing to compare: the first block may not exist yet.
      low = head < indexed.height && indexed.blockHash !== "" ? low + 1 : 0;
      if (low >= lowHeadChecks) throw chainRestarted(indexed, `its newest block is ${head}`);
      onIdle?.();
      await pause(pollMs, this.#patience.signal);
    }
  }

  /** Stores the newest height: each new one, and the same one at most once a second. */
  async note(head: number): Promise<void> {
    const at = Date.now();
    if (this.#noted?.head === head && at - this.#noted.at < times.recordSameHeadMs) return;
    await this.#options.noteHead(head, at);
    this.#noted = { head, at };
  }

  /** Returns the hash of a block that the node reported. */
  async readHash(height: number): Promise<string> {
    const hash = await this.#options.chain.readBlockHash(height, this.#patience.signal);
    if (hash !== undefined) return hash;
    throw new NodeError(`the node does not have block ${height}, which it reported`, { code: "NODE_ERROR" });
  }

  async #checkSame(indexed: IndexedChain): Promise<void> {
    if (indexed.blockHash === "") return;
    const hash = await patiently(() => this.readHash(indexed.height), this.#patience);
    if (hash !== indexed.blockHash) throw chainRestarted(indexed, `its block ${indexed.height} is different`);
  }
}
