import { InputError } from "@vipscore/core";

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
  /** The text outside the leaves. */
  #frame = "";
  /** The part of the current leaf from earlier chunks. */
  #leaf = "";
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #leaves: "before" | "inside" | "after" = "before";

  /** @param file - The file's name as the caller wrote it. */
  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the parts that end in this chunk. @throws InputError `INPUT_INVALID` if the text is not such JSON. */
  *split(chunk: string): Generator<ProofPart, void, undefined> {
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const character = chunk.charAt(index);
      if (this.#leaves !== "inside") {
        const isStart = this.#followFrame(character);
        if (isStart) yield { kind: "head", value: this.#parse(`${this.#frame}]}`) };
      } else if (this.#depth > 2) {
        this.#follow(character);
        if (this.#depth === 2) yield this.#takeLeaf(chunk.slice(start, index + 1));
      } else if (character === "{") {
        this.#depth += 1;
        start = index;
      } else if (character === "]") {
        this.#depth -= 1;
        this.#leaves = "after";
        this.#frame += character;
      } else if (!/[\s,]/.test(character)) throw this.#refusal();
    }
    if (this.#leaves === "inside" && this.#depth > 2) this.#append(chunk.slice(start));
  }

  /** Ends the text. @throws InputError `INPUT_INVALID` if it is not whole. */
  finish(): void {
    if (this.#leaves !== "after" || this.#depth !== 0) throw this.#refusal("It may have been cut off.");
    this.#parse(this.#frame);
  }

  /** Follows text outside the leaves; true if they start behind this character. */
  #followFrame(character: string): boolean {
    const isList = character === "[" && !this.#isInString && this.#depth === 1 && /"leaves"\s*:\s*$/.test(this.#frame);
    this.#follow(character);
    this.#frame += character;
    if (this.#frame.length > maxCharacters) throw this.#refusal();
    if (isList && this.#leaves === "before") this.#leaves = "inside";
    return this.#leaves === "inside";
  }

  #follow(character: string): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === "\\") this.#isEscaped = true;
      else if (character === '"') this.#isInString = false;
    } else if (character === '"') this.#isInString = true;
    else if (character === "[" || character === "{") this.#depth += 1;
    else if (character === "]" || character === "}") this.#depth -= 1;
  }

  #takeLeaf(text: string): ProofPart {
    this.#append(text);
    const value = this.#parse(this.#leaf);
    this.#leaf = "";
    return { kind: "leaf", value };
  }

  #append(text: string): void {
    this.#leaf += text;
    if (this.#leaf.length > maxCharacters) throw this.#refusal();
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
