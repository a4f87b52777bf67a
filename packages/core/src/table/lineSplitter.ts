/** Maximum characters of a line, a record or a JSON element. Longer ones are refused, to bound memory. */
export const longestRow = 65_536;

/** One line of a text, without its line ending. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Undefined if the line is longer than {@link longestRow}. */
  readonly text: string | undefined;
}

/** Splits a text that arrives in chunks into lines; `\n` and `\r\n` end a line. */
export class LineSplitter {
  #rest = "";
  #isTooLong = false;
  #number = 0;

  /** Returns the lines that end in this chunk. */
  *split(chunk: string): Generator<Line, void, undefined> {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
      yield this.#take(chunk.slice(start, end));
      start = end + 1;
    }
    this.#append(chunk.slice(start));
  }

  /** Returns the last line, if the text does not end with a line ending. */
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
