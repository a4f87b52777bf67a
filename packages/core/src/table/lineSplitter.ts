/** Most characters of a line, a record or a JSON element; a longer one is refused, so that memory stays bounded. */
export const longestRow = 65_536;

/** One line of a text, without its line ending. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Undefined for a line that is longer than {@link longestRow}. */
  readonly text: string | undefined;
}

/** Cuts a text that arrives in chunks into lines; `\n` and `\r\n` end a line. */
export class LineSplitter {
  #rest = "";
  #isTooLong = false;
  #number = 0;

  /** The lines that end in this chunk. */
  *split(chunk: string): Generator<Line, void, undefined> {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
      yield this.#take(chunk.slice(start, end));
      start = end + 1;
    }
    this.#append(chunk.slice(start));
  }

  /** The last line, where the text does not end with a line ending. */
  *finish(): Generator<Line, void, undefined> {
    if (this.#rest !== "" || this.#isTooLong) yield this.#take("");
  }

  #append(text: string): void {
    if (!this.#isTooLong) this.#rest = this.#rest === "" ? text : this.#rest + text;
    if (this.#rest.length <= longestRow + 1) return;
    this.#isTooLong = true;
    this.#rest = "";
  }

  #take(text: string): Line {
    if (this.#rest !== "") text = this.#rest + text;
    if (text.endsWith("\r")) text = text.slice(0, -1);
    const isTooLong = this.#isTooLong || text.length > longestRow;
    this.#rest = "";
    this.#isTooLong = false;
    this.#number += 1;
    return { number: this.#number, text: isTooLong ? undefined : text };
  }
}
