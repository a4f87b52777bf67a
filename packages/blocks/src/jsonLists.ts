import { JsonScanner, type JsonPart } from "@vipscore/core/field";

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

/**
 * Reads JSON chunk by chunk. Only one element of the chosen lists is in memory at a time, so lists can have any length.
 */
export class JsonListReader<T> {
  readonly #choice: ListChoice<T>;
  readonly #scanner: JsonScanner;
  readonly #lists: T[][] = [];
  #rest = "";
  /** Number of elements of the last list so far, kept or not. */
  #elements = 0;

  constructor(choice: ListChoice<T>) {
    this.#choice = choice;
    const start = new RegExp(`(?<!\\\\)"${choice.field}"\\s*:\\s*$`);
    this.#scanner = new JsonScanner({ isSplit: (_depth, before) => start.test(before), longest: maxPartBytes });
  }

  /** @throws PartTooLarge; SyntaxError if an element is not JSON; errors of `keep`. */
  push(chunk: Uint8Array): void {
    // A character for each byte: a character of UTF-8 may continue in the next chunk.
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
    for (const part of this.#scanner.scan(text)) this.#follow(part);
    const { rest } = this.#scanner;
    if (rest !== undefined) requireSmall(rest.text);
  }

  /** @throws SyntaxError if the text was not JSON. */
  end(): JsonLists<T> {
    return { rest: parse(this.#rest + (this.#scanner.rest?.text ?? "")), lists: this.#lists };
  }

  #follow({ kind, text }: JsonPart): void {
    requireSmall(text);
    if (kind !== "element") {
      this.#rest += text;
      requireSmall(this.#rest);
      if (kind !== "open") return;
      this.#rest += String(this.#lists.length);
      this.#lists.push([]);
      this.#elements = 0;
      return;
    }
    const kept = this.#choice.keep(parse(text), this.#elements);
    this.#elements += 1;
    if (kept !== undefined) this.#lists.at(-1)?.push(kept);
  }
}

/** @throws PartTooLarge */
function requireSmall(text: string | undefined): asserts text is string {
  if (text === undefined || text.length > maxPartBytes)
    throw new PartTooLarge(`more than ${maxPartBytes} bytes in one part of an answer`);
}

/** Parses JSON in UTF-8 that has a character for each byte. */
function parse(bytes: string): unknown {
  return JSON.parse(/[^\0-\x7f]/.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes);
}
