/** A policy as a post describes it to readers. `policyFormulas` of `@vipscore/policy` makes it. */
export interface PolicyFormulas {
  /** See `policyDigest`. */
  readonly digest: string;
  /** The name and the SHA-256 of each file. */
  readonly files: readonly (readonly [name: string, sha256: string])[];
  /** What the query reads. A unit is undefined if only a person knows it. */
  readonly variables: readonly { readonly name: string; readonly source: string; readonly unit: string | undefined }[];
  /** Numbers in the query, and rows of VALUES, of which `meaning` names the columns; undefined if only a person knows it. */
  readonly constants: readonly { readonly value: string; readonly meaning: string | undefined }[];
  /** Each named part of the query, the scores last: its LaTeX, or why it has none. */
  readonly formulas: readonly ({ readonly name: string } & (
    { readonly latex: readonly string[] } | { readonly lacks: string }
  ))[];
  /** The text of the query. */
  readonly sql: string;
}
