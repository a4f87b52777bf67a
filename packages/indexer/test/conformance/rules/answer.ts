/** The compared parts of an answer. */
export interface Answer {
  readonly status: number;
  /** The header `content-type`; empty if missing. */
  readonly contentType: string;
  readonly body: string;
}

/** A row of a listing. */
export type Row = object;

/** Rows that tie in the requested order: the server chooses which rows, and their order. */
export interface Tie {
  readonly rows: readonly Row[];
  /** Number of them that are on the page. */
  readonly take: number;
}

/** The rows that follow a page: nothing, the rows from an offset, or the rows after its last row. */
export type Next = null | { readonly offset: bigint } | "afterLastRow";

/** A page of a listing that the rules allow. */
export interface AllowedPage {
  readonly kind: "page";
  /** The field that contains the rows. */
  readonly field: "collections" | "tokens";
  readonly ties: readonly Tie[];
  readonly next: Next;
  /** The offset in `previous_key`; null for no key. */
  readonly previous: bigint | null;
  /** Number of rows in the listing; null if the request did not ask for it. */
  readonly total: number | null;
}

/** A text that the rules allow; every error is a text. Undefined if any text is allowed. */
export interface AllowedText {
  readonly kind: "text";
  readonly status: number;
  readonly text: string | undefined;
}

/** A single collection. */
export interface AllowedCollection {
  readonly kind: "collection";
  readonly collection: Row;
}

/** JSON of which the rules only define the shape. */
export interface AllowedShape {
  readonly kind: "shape";
  /** Returns what is wrong with a body; undefined if nothing is. */
  readonly findFault: (body: unknown) => string | undefined;
}

/** One answer that the rules allow; where they are silent there are several. */
export type Allowed = AllowedCollection | AllowedPage | AllowedShape | AllowedText;
