/** A part of a JSON text some of whose lists are split. */
export interface JsonPart {
  /** An element of such a list, one of the list's two brackets, or text outside of these lists. */
  readonly kind: "element" | "open" | "close" | "outside";
  /** Its text, without white space before it; undefined if it is longer than the limit. */
  readonly text: string | undefined;
  /** Position of its first character, from 1. */
  readonly line: number;
  readonly column: number;
}

/** The lists of a JSON text that are split, and the limit of a part. */
export interface JsonScannerOptions {
  /**
   * Returns true if the list that starts here is to be split. `depth` is the number of brackets open around it;
   * `before` the end of the text before its bracket, at most 128 characters.
   */
  readonly isSplit: (depth: number, before: string) => boolean;
  /** Longest text of a part, in characters. */
  readonly longest: number;
}

const [tab, newline, carriageReturn, space, quote, comma] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c] as const;
const [openList, backslash, closeList, openObject, closeObject] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d] as const;

/** Number of characters before a list that {@link JsonScannerOptions.isSplit} sees. */
const reach = 64;

/**
 * Splits lists of a JSON text, which arrives in chunks, into their elements, so that one part is in memory at a time.
 * Tracks strings and the depth of brackets; the parser of a part checks whether the part is valid.
 */
export class JsonScanner {
  readonly #options: JsonScannerOptions;
  #part: JsonPart | undefined;
  #depth = 0;
  /** Depth of the elements of the list that is being split; undefined outside of these lists. */
  #listDepth: number | undefined;
  #isFirst = false;
  #isInString = false;
  #isEscaped = false;
  #line = 1;
  /** Characters before the current chunk, counted from the start of the current line; negative inside a chunk. */
  #lineOffset = 0;

  constructor(options: JsonScannerOptions) {
    this.#options = options;
  }

  /** The part that has begun and not ended. */
  get rest(): JsonPart | undefined {
    return this.#part;
  }

  /** Returns the parts that end in this chunk. */
  *scan(chunk: string): Generator<JsonPart, void, undefined> {
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      if (this.#isInString) {
        index = this.#findEndOfString(chunk, index);
        continue;
      }
      const code = chunk.charCodeAt(index);
      if (code === newline) {
        this.#line += 1;
        this.#lineOffset = -index - 1;
      }
      if (code === space || code === newline || code === carriageReturn || code === tab) continue;
      const isCloser = code === closeList || code === closeObject;
      const isStart = code === openList && this.#isSplit(chunk.slice(start, index));
      if (isStart || (this.#depth === this.#listDepth && (code === comma || isCloser))) {
        this.#append(chunk.slice(start, index));
        start = index + 1;
        // An empty list has no element, and there may be no text before a list.
        const isEmpty = this.#part === undefined && (isStart || (isCloser && this.#isFirst));
        if (!isEmpty) yield this.#part ?? this.#begin(index, "element");
        this.#part = undefined;
        this.#isFirst = isStart;
        if (code !== comma) {
          yield { ...this.#begin(index, isStart ? "open" : "close"), text: chunk.charAt(index) };
          this.#listDepth = isStart ? this.#depth + 1 : undefined;
        }
      } else if (this.#part === undefined) {
        this.#part = this.#begin(index, this.#listDepth === undefined ? "outside" : "element");
        start = index;
      }
      if (code === quote) this.#isInString = true;
      else if (code === openList || code === openObject) this.#depth += 1;
      else if (isCloser) this.#depth -= 1;
    }
    this.#append(chunk.slice(start));
    this.#lineOffset += chunk.length;
  }

  /** Returns the index of the quote that ends the string, or the length of the chunk. */
  #findEndOfString(chunk: string, start: number): number {
    for (let index = start; index < chunk.length; index += 1) {
      const code = chunk.charCodeAt(index);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === backslash) this.#isEscaped = true;
      else if (code === quote) {
        this.#isInString = false;
        return index;
      }
    }
    return chunk.length;
  }

  #isSplit(text: string): boolean {
    if (this.#listDepth !== undefined) return false;
    const earlier = text.length < reach ? (this.#part?.text ?? "") : "";
    return this.#options.isSplit(this.#depth, earlier.slice(-reach) + text.slice(-reach));
  }

  #begin(index: number, kind: JsonPart["kind"]): JsonPart {
    return { kind, text: "", line: this.#line, column: this.#lineOffset + index + 1 };
  }

  #append(more: string): void {
    if (this.#part?.text === undefined) return;
    const text = this.#part.text + more;
    this.#part = { ...this.#part, text: text.length > this.#options.longest ? undefined : text };
  }
}

/** Strings, with the colon behind a key, and what opens or closes an object. A string's characters need no backtracking. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g;

/**
 * Finds a key that stands twice in one object of a JSON text, also in other letters (`"Score"` beside `"score"`, which Go takes for
 * one): each reader of such a text may see another value.
 *
 * @param json - A text that `JSON.parse` takes.
 * @returns the first such key, with its escapes resolved; undefined if there is none.
 */
export function findRepeatedKey(json: string): string | undefined {
  const objects: Set<string>[] = [];
  for (const [token, string, colon] of json.matchAll(tokens)) {
    if (token === "{") objects.push(new Set());
    else if (token === "}") objects.pop();
    else if (string !== undefined && colon !== undefined) {
      // Escapes give one key several spellings.
      const key = string.includes("\\") ? String(JSON.parse(string)) : string.slice(1, -1);
      const keys = objects.at(-1);
      const folded = key.toUpperCase().toLowerCase();
      if (keys?.has(folded) === true) return key;
      keys?.add(folded);
    }
  }
  return undefined;
}

/**
 * Parses JSON; returns undefined for any other text, and for brackets nested too deep for the parser. The parser's own error
 * is never passed on: it quotes the text around the fault, which may be a key pasted into the wrong file.
 */
export function tryParseJson(text: string, revive?: Parameters<typeof JSON.parse>[1]): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}
