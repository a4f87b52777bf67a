import type { Account } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { list, oneOf, optional, text, withSchema, type Field, type ReadField } from "@vipscore/core/field";
import { unixSeconds } from "../chain/rollupNode.ts";
import { accountOrError } from "./convertValue.ts";
import { columnTypes, isSystemName, type ColumnType, type SourceColumn } from "./policySource.ts";

const sqlName = /^[a-z_][a-z0-9_]{0,59}$/;

export const readFlag: ReadField<boolean> = withSchema({ type: "boolean" }, (field) =>
  typeof field.value === "boolean" ? field.value : field.failExpected("true or false"),
);

/** The fields of every source. */
export const sourceFields = {
  name: withSchema({ type: "string", pattern: sqlName.source }, (field) => checkSqlName(text(field), field)),
  kind: text,
  may_be_empty: optional(readFlag),
};

export function oneOrMore<T>(read: ReadField<T>): ReadField<readonly T[]> {
  const readList = list(read);
  return withSchema({ ...readList.schema, minItems: 1 }, (field) => {
    const items = readList(field);
    return items.length > 0 ? items : field.fail("is empty");
  });
}

/** Returns a reader of one or more texts, which returns each once, sorted. */
export function distinct<T extends string>(read: ReadField<T>): ReadField<readonly T[]> {
  const readList = oneOrMore(read);
  return withSchema({ ...readList.schema }, (field) => [...new Set(readList(field))].sort());
}

/** Reads a contract's address in any spelling, as lower-case hex: 20 bytes on EVM, 32 for contracts of Wasm. */
export function contractAddress(accountBytes: readonly (20 | 32)[]): ReadField<Account> {
  return withSchema({ type: "string" }, (field) => {
    const account = accountOrError(text(field), accountBytes);
    if (typeof account === "string") return account;
    return field.fail(`is not the address of a contract: ${account.shortMessage}`);
  });
}

/**
 * Reads a height from 1. As `start_height`, it is the first height of a source that begins before the window, such as
 * balances that were changed earlier and count in it.
 */
export const blockHeight = integer({ minimum: 1 }, "a height from 1");

/** Returns a reader of integers of TOML in a range, which its schema has. */
export function integer(
  range: { readonly minimum: number; readonly maximum?: number },
  wanted: string,
): ReadField<number> {
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = range;
  return withSchema({ type: "integer", ...range }, (field) => {
    const { value } = field;
    const isInRange = typeof value === "bigint" && value >= BigInt(minimum) && value <= BigInt(maximum);
    return isInRange ? Number(value) : field.failExpected(wanted);
  });
}

export function tableOf({ schema = {} }: ReadField<unknown>): object {
  return { type: "object", additionalProperties: schema };
}

function columnsOf(readType: ReadField<ColumnType | `${ColumnType}?`>): ReadField<readonly SourceColumn[]> {
  return withSchema(tableOf(readType), (field) =>
    field.names.map((name) => {
      const column = field.at(name);
      const written = readType(column);
      const type = columnTypes.find((known) => written === known || written === `${known}?`) ?? "text";
      return { name: checkSqlName(name, column), type, ...(written === type ? {} : { nullable: true as const }) };
    }),
  );
}

/** Reads the columns of a source, each as `name = "type"`. */
export const sourceColumns = columnsOf(oneOf(columnTypes));

/** Reads columns whose type may end with `?`: rows may have no value there. */
export const nullableColumns = columnsOf(oneOf([...columnTypes, ...columnTypes.map((type) => `${type}?` as const)]));

/**
 * Checks the name of a source or a column: lower-case letters, digits and `_`, at most 60 characters. SQL compares names
 * without case, so only one spelling is allowed.
 */
export function checkSqlName(name: string, field: Field): string {
  if (!sqlName.test(name)) {
    field.fail(`has the name ${quoteText(name)}; use a letter a-z, then a-z, digits or _, such as total_score`);
  }
  return isSystemName(name) ? field.fail(`has the name "${name}", which DuckDB keeps for itself`) : name;
}

/** The first columns of every source that reads blocks: which transaction a row is from. */
export const blockColumns = [
  /** The block. */
  { name: "height", type: "integer", stored: "bigint" },
  /** The block's Unix time in whole seconds, rounded down. */
  { name: "time", type: "integer", stored: "bigint" },
  /** The transaction's position in its block, from 0; minievm counts from 1. */
  { name: "tx_index", type: "integer", stored: "bigint" },
] as const satisfies readonly SourceColumn[];

/** Position of a transaction in the chain. */
export interface BlockPlace {
  readonly height: number;
  /** The block's time as RFC 3339. */
  readonly timestamp: string;
  readonly transactionIndex: number;
}

/** The newest time that was converted: the rows of a block have the same. */
let newest = { timestamp: "", seconds: 0n };

export function blockValues({ height, timestamp, transactionIndex }: BlockPlace): readonly bigint[] {
  if (timestamp !== newest.timestamp) newest = { timestamp, seconds: BigInt(unixSeconds(timestamp)) };
  return [BigInt(height), newest.seconds, BigInt(transactionIndex)];
}

/** The first columns of every source of events: where an event is in the chain, and what emitted it. */
export const eventColumns = [
  ...blockColumns,
  /**
   * On EVM the event's position in its block. Elsewhere its position in its transaction, among all events of the transaction,
   * also those of no VM. From 0.
   */
  { name: "event_index", type: "integer", stored: "bigint" },
  /** The transaction's hash: `0x` and lower-case hex on EVM, upper-case hex elsewhere. */
  { name: "tx_hash", type: "text", pattern: "^[0-9A-F]{64}$" },
  /** The contract that emitted it; on Move, the account that has the event's module. */
  { name: "contract", type: "address" },
] as const satisfies readonly SourceColumn[];

/** The pattern of a text that is hex of some bytes; of any number of bytes, if that is empty. */
export function hexPattern(bytes: number | ""): string {
  return bytes === "" ? "^0x(?:[0-9a-f]{2})*$" : `^0x[0-9a-f]{${bytes * 2}}$`;
}
