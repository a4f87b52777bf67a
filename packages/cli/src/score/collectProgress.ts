import { count, group } from "@vipscore/core/values";
import type { CollectProgress } from "@vipscore/policy";

/** The start of reading a source. */
interface Start {
  readonly source: string;
  readonly height: number;
  readonly rows: number;
  /** In milliseconds of the clock. */
  readonly at: number;
}

/** Describes how far a source is read; from its second report on, also the rows a second and the time that is left. */
export class CollectProgressText {
  readonly #now: () => number;
  #start: Start | undefined;

  /** @param now A clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns one line. */
  of({ source, height, last, rows }: CollectProgress): string {
    const at = this.#now();
    if (this.#start?.source !== source) this.#start = { source, height, rows, at };
    const line = `${source}  block ${group(height)} of ${group(last)}, ${count(rows, "row")}`;
    const [seconds, blocks] = [(at - this.#start.at) / 1000, height - this.#start.height];
    if (seconds <= 0 || blocks <= 0) return line;
    const rate = group(Math.round((rows - this.#start.rows) / seconds));
    return `${line}   ${rate}/s   ${group(Math.ceil(((last - height) * seconds) / blocks))} s left`;
  }
}
