import { InputError } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { findRepeatedKey, isObject, JsonScanner } from "@vipscore/core/wire";

/** Longest text of one leaf, and of everything but the leaves, in characters. A leaf of a tree of 2^64 has some 4,500. */
const maxCharacters = 65_536;

/** A part of a file of proofs: first its head, then each leaf. */
export interface ProofPart {
  readonly kind: "head" | "leaf";
  readonly value: unknown;
}

/**
 * Splits the text of a file of proofs, which arrives in chunks, so that one leaf is in memory at a time: a million leaves
 * have over a gigabyte. The head is everything before the list `leaves`, which is the last field: no reader may find another
 * root or another list behind it.
 */
export class ProofSplitter {
  readonly #file: string;
  readonly #scanner = new JsonScanner({
    isSplit: (depth, before) => depth === 1 && this.#leaves === "before" && /"leaves"\s*:\s*$/.test(before),
    longest: maxCharacters,
  });
  /** The text outside the leaves. */
  #frame = "";
  #leaves: "before" | "inside" | "after" = "before";
  #count = 0;

  /** @param file - The file's name as the caller wrote it. */
  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the parts that end in this chunk. @throws InputError `INPUT_INVALID` if the text is not such JSON. */
  *split(chunk: string): Generator<ProofPart, void, undefined> {
    for (const { kind, text } of this.#scanner.scan(chunk)) {
      if (text === undefined || (kind === "element" && !text.startsWith("{"))) throw this.#refusal();
      if (kind === "element") {
        this.#count += 1;
        yield { kind: "leaf", value: this.#parse(text, `leaf ${this.#count} of ${this.#file}`) };
      } else this.#frame += text;
      if (kind === "open") {
        this.#leaves = "inside";
        yield { kind: "head", value: this.#parseHead() };
      } else if (kind === "close") this.#leaves = "after";
    }
    const { rest } = this.#scanner;
    if (rest !== undefined && rest.text === undefined) throw this.#refusal();
  }

  /** Ends the text. @throws InputError `INPUT_INVALID` if it is not whole. */
  finish(): void {
    const rest = this.#scanner.rest?.text?.trimEnd() ?? "";
    if (this.#leaves !== "after" || rest === "") throw this.#refusal("It may have been cut off.");
    if (rest !== "}") throw new InputError(`${this.#file} goes on after its list of leaves`);
  }

  #parseHead(): unknown {
    const head = this.#parse(`${this.#frame}]}`);
    // A key may only end like the list's.
    if (isObject(head) && Object.keys(head).at(-1) === "leaves") return head;
    throw this.#refusal();
  }

  #parse(text: string, place = this.#file): unknown {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.#refusal();
    }
    const repeated = findRepeatedKey(text);
    if (repeated === undefined) return value;
    throw new InputError(`${place} has the key ${quoteText(repeated)} twice in one object`);
  }

  #refusal(hint = "Write one with vipscore snapshot --out."): InputError {
    return new InputError(`${this.#file} is not a file of proofs`, { metaMessages: [hint] });
  }
}
