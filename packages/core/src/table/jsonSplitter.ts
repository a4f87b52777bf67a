import { JsonScanner, type JsonPart } from "../jsonScanner.ts";
import type { IssueLog } from "./issueLog.ts";
import { longestRow } from "./lineSplitter.ts";

/** One element of the JSON array. */
export interface JsonElement {
  /** From 1. */
  readonly number: number;
  /** Start, as `line 3, column 5`. */
  readonly place: string;
  /** Its text; undefined if it is longer than {@link longestRow}. */
  readonly text: string | undefined;
}

/**
 * Splits the text of a JSON array, which arrives in chunks, into the texts of its elements. The parser of an element
 * checks whether the element is valid.
 */
export class JsonSplitter {
  readonly #issues: IssueLog;
  readonly #scanner = new JsonScanner({ isSplit: () => this.#state === "before", longest: longestRow });
  #state: "before" | "inside" | "after" = "before";
  #number = 0;

  constructor(issues: IssueLog) {
    this.#issues = issues;
  }

  /** True once the array is closed. */
  get isWhole(): boolean {
    return this.#state === "after";
  }

  /** Returns the elements that end in this chunk. @throws InputError with a `FILE_MALFORMED` issue. */
  *split(chunk: string): Generator<JsonElement, void, undefined> {
    for (const part of this.#scanner.scan(chunk)) {
      if (part.kind === "element") yield { number: (this.#number += 1), place: placeOf(part), text: part.text };
      else this.#follow(part);
    }
    const { rest } = this.#scanner;
    if (rest?.kind === "outside") this.#follow(rest);
  }

  /** Ends the text. @throws InputError with a `FILE_MALFORMED` issue if the array is not closed. */
  finish(): void {
    if (this.#state !== "inside") return;
    const message = `ends before its array does, after ${this.#number} whole elements; it may have been cut off`;
    this.#issues.refuse("FILE_MALFORMED", message);
  }

  #follow(part: JsonPart): void {
    if (part.kind === "open") this.#state = "inside";
    else if (part.kind === "outside") this.#refuseOutside(part);
    else if (part.text === "]") this.#state = "after";
    else this.#issues.refuse("FILE_MALFORMED", `has "${part.text}" instead of "]" at ${placeOf(part)}`);
  }

  #refuseOutside(part: JsonPart): never {
    const message =
      this.#state === "before"
        ? `is not a JSON array: it starts at ${placeOf(part)} otherwise`
        : `continues after its array, at ${placeOf(part)}`;
    this.#issues.refuse("FILE_MALFORMED", `${message}; use --format jsonl for one value on each line`);
  }
}

function placeOf({ line, column }: JsonPart): string {
  return `line ${line}, column ${column}`;
}
