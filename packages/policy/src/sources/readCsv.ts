import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { InputError, parseAccount, type Account, type SignalOptions } from "@vipscore/core";
import { IssueLog } from "@vipscore/core/errors";
import { text, type Field } from "@vipscore/core/field";
import { readChunks, type AddFile, type PolicyFile } from "../files/policyFile.ts";
import { policyInvalid } from "../policyError.ts";

export interface CsvRow {
  /** The line on which the row ends, from 1. */
  readonly row: number;
  /** The wanted fields, in the order in which they were asked for. */
  readonly fields: readonly string[];
}

/** The longest row in characters. */
const longestRow = 65_536;

/**
 * Reads columns of a CSV file as RFC 4180 has it: UTF-8, commas, a header that names the columns. Other columns are
 * skipped, blank lines too.
 */
export async function* readCsv(
  file: PolicyFile,
  columns: readonly string[],
  options: SignalOptions = {},
): AsyncGenerator<CsvRow, void, undefined> {
  const parser = parse({ skip_empty_lines: true, max_record_size: longestRow, info: true });
  const records = Readable.from(decodeFile(file, options))
    .on("error", (error) => parser.destroy(error))
    .pipe(parser);
  let positions: readonly number[] | undefined;
  try {
    for await (const { record, info } of records as AsyncIterable<ParsedRecord>) {
      if (positions === undefined) positions = findColumns(file, columns, record);
      else yield { row: info.lines, fields: positions.map((position) => record[position] ?? "") };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw policyInvalid(file.name, "is not valid CSV", { details: error.message, cause: error });
  }
  if (positions === undefined) throw policyInvalid(file.name, "is empty; its first line names the columns");
}

interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

function findColumns(file: PolicyFile, columns: readonly string[], header: readonly string[]): readonly number[] {
  const names = header.map((name) => name.trim());
  return columns.map((column) => {
    const position = names.indexOf(column);
    if (position < 0) throw policyInvalid(file.name, `has no column "${column}" in its first line`);
    if (names.lastIndexOf(column) > position) throw policyInvalid(file.name, `has the column "${column}" twice`);
    return position;
  });
}

async function* decodeFile(file: PolicyFile, options: SignalOptions): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of readChunks(file, options)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? policyInvalid(file.name, "is not UTF-8 text", { cause: error }) : error;
  }
}

/** Reads the column `address` of a CSV file, in the file's order. */
export async function readAccounts(file: PolicyFile, options: SignalOptions = {}): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  const issues = new IssueLog(file.name);
  for await (const { row, fields } of readCsv(file, ["address"], options)) {
    try {
      accounts.push(parseAccount(fields[0] ?? "", { accountBytes: [20, 32] }));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      issues.add(row, "ADDRESS_INVALID", error.shortMessage);
    }
  }
  issues.throwIfAny();
  return accounts;
}

/** The accounts whose state a source reads. */
export interface AccountsField {
  /** In the file's order, each once. */
  readonly accounts: readonly Account[];
  /** SHA-256 of the file's bytes, in hex. */
  readonly accountsSha256: string;
}

/** Reads the field `accounts`: a CSV file in the policy's folder with a column `address`. */
export async function readAccountsField(field: Field, addFile: AddFile): Promise<AccountsField> {
  const file = await addFile(text(field), field.place);
  const accounts = await readAccounts(file);
  const seen = new Set<Account>();
  for (const account of accounts) {
    if (seen.has(account)) throw policyInvalid(file.name, `has ${account} twice; a join would count it twice`);
    seen.add(account);
  }
  return { accounts, accountsSha256: file.sha256 };
}
