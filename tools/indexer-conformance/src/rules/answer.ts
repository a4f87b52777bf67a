/** An answer as far as it is compared. */
export interface Answer {
  readonly status: number;
  /** The header `content-type`; empty where there is none. */
  readonly contentType: string;
  readonly body: string;
}

/** A row of a listing. */
export type Row = object;

/** Rows that tie in the order asked for: which of them, and in which order, is the server's choice. */
export interface Tie {
  readonly rows: readonly Row[];
  /** How many of them the page has. */
  readonly take: number;
}

/** What follows a page: nothing, the rows from an offset on, or the rows after its last one. */
export type Next = null | { readonly offset: bigint } | "afterLastRow";

/** A page of a listing that the rules allow. */
export interface AllowedPage {
  readonly kind: "page";
  /** The field that has the rows. */
  readonly field: "collections" | "tokens";
  readonly ties: readonly Tie[];
  readonly next: Next;
  /** The offset that `previous_key` names; null for no key. */
  readonly previous: bigint | null;
  /** How many rows the listing has; null where they were not to be counted. */
  readonly total: number | null;
}

/** A text, which every error is, that the rules allow; undefined where they do not say which. */
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

/** JSON of which the rules fix the shape alone. */
export interface AllowedShape {
  readonly kind: "shape";
  /** Says what is wrong with a body; undefined when nothing is. */
  readonly findFault: (body: unknown) => string | undefined;
}

/** One answer that the rules allow; where they are silent there are several. */
export type Allowed = AllowedCollection | AllowedPage | AllowedShape | AllowedText;
