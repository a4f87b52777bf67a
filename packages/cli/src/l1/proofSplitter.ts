import { InputError } from "@vipscore/core";
import { JsonScanner } from "@vipscore/core/wire";

/** Longest text of one leaf, and of everything but the leaves, in characters. A leaf of a tree of 2^64 has some 4,500. */
const maxCharacters = 65_536;

/** A part of a file of proofs: first its head, then each leaf. */
export interface ProofPart {
  readonly kind: "head" | "leaf";
  readonly value: unknown;
}

/**
 * Splits the text of a file of proofs, which arrives in chunks, so that one leaf is in memory at a time: a million leaves
 * have over a gigabyte. The head is everything before the list `leaves`.
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

  /** @param file - The file's name as the caller wrote it. */
  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the parts that end in this chunk. @throws InputError `INPUT_INVALID` if the text is not such JSON. */
  *split(chunk: string): Generator<ProofPart, void, undefined> {
    for (const { kind, text } of this.#scanner.scan(chunk)) {
      if (text === undefined || (kind === "element" && !text.startsWith("{"))) throw this.#refusal();
      if (kind === "element") yield { kind: "leaf", value: this.#parse(text) };
      else this.#frame += text;
      if (kind === "open") {
        this.#leaves = "inside";
        yield { kind: "head", value: this.#parse(`${this.#frame}]}`) };
      } else if (kind === "close") this.#leaves = "after";
    }
    const { rest } = this.#scanner;
    if (rest !== undefined && rest.text === undefined) throw this.#refusal();
  }

  /** Ends the text. @throws InputError `INPUT_INVALID` if it is not whole. */
  finish(): void {
    const text = this.#frame + (this.#scanner.rest?.text ?? "");
    const isWhole = this.#leaves === "after" && text.trimEnd().endsWith("}");
    if (!isWhole) throw this.#refusal("It may have been cut off.");
    this.#parse(text);
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw this.#refusal();
    }
  }

  #refusal(hint = "Write one with vipscore snapshot --out."): InputError {
    return new InputError(`${this.#file} is not a file of proofs`, { metaMessages: [hint] });
  }
}
