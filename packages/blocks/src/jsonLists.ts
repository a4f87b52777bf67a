/** JSON whose long lists were read element by element. */
export interface JsonLists<T> {
  /** The value of the text, with `[n]` in place of each removed list; n is its index in `lists`. */
  readonly rest: unknown;
  /** The elements kept of each list, in text order. */
  readonly lists: readonly (readonly T[])[];
}

/** The lists of a JSON text that are read element by element. */
export interface ListChoice<T> {
  /** Name of the list's field, at most 32 characters. */
  readonly field: string;
  /** The part of an element to keep, by its index in its list; undefined keeps nothing. */
  readonly keep: (element: unknown, index: number) => T | undefined;
}

/** Maximum size of a list element, and of all text outside the lists, in bytes. */
export const maxPartBytes = 16_777_216;

/** A part of a text is larger than {@link maxPartBytes}. */
export class PartTooLarge extends Error {
  override readonly name: string = "PartTooLarge";
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Longest field name that is compared. */
const longestField = 32;

/**
 * Reads JSON chunk by chunk. Only one element of the chosen lists is in memory at a time, so lists can have any length.
 */
export class JsonListReader<T> {
  readonly #choice: ListChoice<T>;
  readonly #lists: T[][] = [];
  readonly #rest = new Part();
  readonly #element = new Part();
  /** The chosen list that is being read. */
  #list: T[] | undefined;
  /** Number of elements of that list so far, kept or not. */
  #elements = 0;
  /** Number of open lists and objects inside the current element. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The text of the latest string outside the lists. */
  #text = "";
  /** The field whose value comes next; undefined elsewhere. */
  #field: string | undefined;

  constructor(choice: ListChoice<T>) {
    this.#choice = choice;
  }

  /** @throws PartTooLarge; SyntaxError if an element is not JSON; errors of `keep`. */
  push(chunk: Uint8Array): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (this.#isInString) {
        this.#inString(byte);
      } else if (byte === quote) {
        this.#isInString = true;
        this.#text = "";
        this.#field = undefined;
      } else if (this.#list === undefined) {
        if (byte === openList && this.#field === this.#choice.field) {
          this.#rest.add(chunk.subarray(from, at + 1));
          from = at + 1;
          this.#begin();
        } else if (byte === colon) {
          this.#field = this.#text;
        } else if (byte !== undefined && byte > 0x20) {
          this.#field = undefined;
        }
      } else if (byte === openList || byte === openObject) {
        this.#depth += 1;
      } else if (this.#depth > 0) {
        if (byte === closeList || byte === closeObject) this.#depth -= 1;
      } else if (byte === comma || byte === closeList) {
        this.#element.add(chunk.subarray(from, at));
        this.#endElement(this.#list);
        // The comma is dropped; the bracket closes the list in the rest too.
        from = byte === comma ? at + 1 : at;
        if (byte === closeList) this.#list = undefined;
      }
    }
    (this.#list === undefined ? this.#rest : this.#element).add(chunk.subarray(from));
  }

  /** @throws SyntaxError if the text was not JSON. */
  end(): JsonLists<T> {
    return { rest: JSON.parse(this.#rest.take()) as unknown, lists: this.#lists };
  }

  #inString(byte: number | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInString = false;
    // Raw, with backslashes: none of our names contains an escape.
    if (this.#isInString && this.#list === undefined && this.#text.length <= longestField) {
      this.#text += String.fromCharCode(byte ?? 0);
    }
  }

  #begin(): void {
    this.#rest.add(Buffer.from(String(this.#lists.length)));
    this.#list = [];
    this.#elements = 0;
    this.#lists.push(this.#list);
    this.#field = undefined;
  }

  #endElement(list: T[]): void {
    const text = this.#element.take();
    // An empty list has no element before its end.
    if (text.trim() === "") return;
    const kept = this.#choice.keep(JSON.parse(text), this.#elements);
    this.#elements += 1;
    if (kept !== undefined) list.push(kept);
  }
}

/** Bytes that come in several chunks. */
class Part {
  #chunks: Uint8Array[] = [];
  #size = 0;

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#size += chunk.length;
    if (this.#size > maxPartBytes) throw new PartTooLarge(`more than ${maxPartBytes} bytes in one part of an answer`);
    this.#chunks.push(chunk);
  }

  take(): string {
    const text = Buffer.concat(this.#chunks, this.#size).toString("utf8");
    this.#chunks = [];
    this.#size = 0;
    return text;
  }
}
