import { createHash, hash, type Hash } from "node:crypto";
import type { SourceColumn, SourceRow, SourceValue } from "../sources/policySource.ts";

/** Characters of a block after which they are hashed, so that a block of any size needs little memory. */
const longText = 1_048_576;

/**
 * Computes the digests of a source's blocks while it is collected. A block's digest is the SHA-256, in hex, of its rows, each
 * value as a netstring: the number of its bytes in decimal, `:`, the bytes in UTF-8, `,`. Integers are decimal text, booleans
 * `true` and `false`, no value is `~,`. Each block with rows becomes a line `height rows digest\n`; a source without heights is one block, 0.
 *
 * {@link hashSource} makes the source's digest of the lines, which do not depend on how the rows were batched or stored.
 */
export class BlockDigests {
  readonly #hasHeights: boolean;
  #lines = "";
  #height = "0";
  #rows = 0;
  #text = "";
  #hash: Hash | undefined;

  /** @param hasHeights True if the first column is the row's block; rows are ascending by it. */
  constructor(hasHeights: boolean) {
    this.#hasHeights = hasHeights;
  }

  add(rows: readonly SourceRow[]): void {
    for (const row of rows) {
      const height = this.#hasHeights ? `${row[0]}` : "0";
      if (height !== this.#height) {
        this.#endBlock();
        this.#height = height;
      }
      this.#rows += 1;
      for (const value of row) this.#text += netstring(value);
      if (this.#text.length > longText) this.#hashText();
    }
  }

  /** Ends the newest block, and returns the lines of all blocks since the last call. */
  take(): string {
    this.#endBlock();
    const lines = this.#lines;
    this.#lines = "";
    return lines;
  }

  #endBlock(): void {
    if (this.#rows === 0) return;
    const digest = this.#hash === undefined ? hash("sha256", this.#text) : this.#hash.update(this.#text).digest("hex");
    this.#lines += `${this.#height} ${this.#rows} ${digest}\n`;
    this.#rows = 0;
    this.#text = "";
    this.#hash = undefined;
  }

  #hashText(): void {
    this.#hash ??= createHash("sha256");
    this.#hash.update(this.#text);
    this.#text = "";
  }
}

function netstring(value: SourceValue): string {
  if (value === null) return "~,";
  const text = typeof value === "string" ? value : `${value}`;
  return `${typeof value === "string" ? Buffer.byteLength(text) : text.length}:${text},`;
}

export function linesUpTo(lines: string, height: number): string {
  let end = 0;
  while (end < lines.length && Number.parseInt(lines.slice(end, end + 16), 10) <= height) {
    end = lines.indexOf("\n", end) + 1;
  }
  return lines.slice(0, end);
}

export function countRows(lines: string): number {
  let rows = 0;
  for (const line of lines.split("\n").slice(0, -1)) rows += Number(line.split(" ")[1]);
  return rows;
}

/**
 * Starts the digest of a source: SHA-256 of a line with the JSON array of the columns as `[name, type]`, the type with a `?` if
 * rows may have no value, to which the lines of
 * {@link BlockDigests} are added.
 */
export function hashSource(columns: readonly SourceColumn[]): Hash {
  return createHash("sha256").update(
    `${JSON.stringify(columns.map(({ name, type, nullable }) => [name, nullable === true ? `${type}?` : type]))}\n`,
  );
}
