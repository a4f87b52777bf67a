import { createHash } from "node:crypto";
import type { SourceColumn, SourceRow } from "./policySource.ts";

/**
 * Computes the digest of a source: SHA-256, in hex, of its canonical text. The first line is a JSON array of the columns as
 * `[name, type]`; each further line is a JSON array of one row's values, integers as decimal text. Lines end with LF.
 *
 * The digest depends on the rows and their order, not on how they were batched or stored.
 */
export class SourceDigest {
  readonly #hash = createHash("sha256");
  #rows = 0;

  constructor(columns: readonly SourceColumn[]) {
    this.#hash.update(`${JSON.stringify(columns.map(({ name, type }) => [name, type]))}\n`);
  }

  /** Number of rows so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Adds rows in their order. */
  add(rows: readonly SourceRow[]): void {
    this.#rows += rows.length;
    const lines = rows.map((row) =>
      JSON.stringify(row.map((value) => (typeof value === "bigint" ? `${value}` : value))),
    );
    if (lines.length > 0) this.#hash.update(`${lines.join("\n")}\n`);
  }

  /** Returns the digest; nothing can be added afterwards. */
  finish(): string {
    return this.#hash.digest("hex");
  }
}
