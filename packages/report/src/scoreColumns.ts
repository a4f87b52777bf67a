import { bech32 } from "@scure/base";
import { group } from "@vipscore/core/values";
import type { ReportRow } from "./reportInput.ts";

export interface RankedRow extends ReportRow {
  /** 1 plus the number of accounts with a higher score: accounts of one score share a rank. */
  readonly rank: number;
}

/** The numbers of a stage that its rows are shown with. */
export interface StageNumbers {
  readonly total: bigint;
  /** Accounts with a score above 0. */
  readonly scored: number;
  /** True where accounts are written as init1…, as on Wasm. */
  readonly isBech32: boolean;
}

/** Returns an account as its chain writes it. */
export function spellAccount(account: string, { isBech32 }: Pick<StageNumbers, "isBech32">): string {
  if (!isBech32) return account;
  const bytes = (account.slice(2).match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return bech32.encode("init", bech32.toWords(Uint8Array.from(bytes)));
}

type RowText = (row: RankedRow, stage: StageNumbers) => string;

/** A column of the tables of accounts, in the page and as its script fills it. */
interface ScoreColumn {
  readonly title: string;
  /** Its class: `address` may be cut, and `minor` is hidden on a narrow screen. */
  readonly look: "" | "address" | "minor";
  readonly text: RowText;
  /** A text as wide as the widest of a list, whose first row has the highest score. */
  readonly widest: (first: RankedRow, rows: number) => string;
  /** The title and the text that the search shows of it. Default: nothing. */
  readonly found?: readonly [title: string, text: RowText];
}

const score: RowText = (row) => group(row.score);
const share: RowText = (row, { total }) => percent(row.score, total);

/** The columns of every table of accounts, and with them what the search shows. */
export const scoreColumns: readonly ScoreColumn[] = [
  {
    title: "Rank",
    look: "",
    text: (row) => (row.score === 0n ? "–" : group(row.rank)),
    widest: (_, rows) => group(rows),
    found: ["Rank", ({ rank }, { scored }) => `${group(rank)} of ${group(scored)}`],
  },
  {
    title: "Address",
    look: "address",
    text: ({ account }, stage) => spellAccount(account, stage),
    widest: () => "0x0123",
  },
  { title: "Score", look: "", text: score, widest: (first) => group(first.score), found: ["Score", score] },
  { title: "Share", look: "", text: share, widest: () => "100.00 %", found: ["Share of the total", share] },
];

/** The fields of a row that the page has beside the address, in the order in which they are packed: each a u64. */
export const packedFields = ["score"] as const satisfies readonly (keyof ReportRow)[];

/** A value for each of {@link packedFields}. */
export type PackedValues<T> = Readonly<Record<(typeof packedFields)[number], T>>;

export function packedValues<T>(make: (field: keyof PackedValues<T>) => T): PackedValues<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has all fields, which fromEntries does not know
  return Object.fromEntries(packedFields.map((field) => [field, make(field)])) as PackedValues<T>;
}

/** Formats a part of a whole in percent with two decimals, rounded down: `12.34 %`; `< 0.01 %` for less. */
export function percent(part: bigint, whole: bigint): string {
  const hundredths = whole === 0n ? 0n : (part * 10_000n) / whole;
  if (hundredths === 0n && part > 0n) return "< 0.01 %";
  return `${hundredths / 100n}.${`${hundredths % 100n}`.padStart(2, "0")} %`;
}
