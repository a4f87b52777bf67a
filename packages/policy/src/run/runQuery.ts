import {
  DuckDBBlobValue,
  DuckDBDecimalType,
  DuckDBDecimalValue,
  DuckDBTypeId,
  StatementType,
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBValue,
} from "@duckdb/node-api";
import { InputError, parseAccount, u64Max, type Account, type Score } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { policyLimit, policyRefused } from "../policyError.ts";
import { checkTypes } from "./checkTypes.ts";

/** The types that hold integers alone; DECIMAL does too if it has no digits after the point. */
const integerTypes: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
]);

/**
 * Runs a checked query and reads the score of each account.
 *
 * @param maxRows Stops with `POLICY_LIMIT` at the first row above it.
 * @throws InputError `POLICY_REFUSED` for other columns or types, and with the value for the first row that is not an
 * account and a score; CheckError `POLICY_LIMIT`; errors of DuckDB.
 */
export async function runQuery(
  connection: DuckDBConnection,
  sql: string,
  maxRows: number,
): Promise<ReadonlyMap<Account, Score>> {
  const statements = await connection.extractStatements(sql);
  const statement = await statements.prepare(0);
  try {
    requireColumns(statement);
    await checkTypes(connection, sql);
    const scores = new Map<Account, Score>();
    const spellings = new Map<Account, string>();
    for await (const chunk of await statement.stream()) {
      const [addresses = [], values = []] = chunk.getColumns();
      for (const [row, address] of addresses.entries()) {
        const spelling = spellingOf(address);
        const account = accountOf(spelling);
        const score = scoreOf(values[row] ?? null, account);
        if (scores.has(account)) throw repeated(account, spellings.get(account) ?? account, spelling);
        if (scores.size === maxRows) throw tooManyRows(maxRows);
        scores.set(account, score);
        // Nearly every query gives accounts in the form that its sources have.
        if (spelling !== account) spellings.set(account, spelling);
      }
    }
    return scores;
  } finally {
    statement.destroySync();
  }
}

function requireColumns(statement: DuckDBPreparedStatement): void {
  if (statement.statementType !== StatementType.SELECT) throw policyRefused("policy.sql is not a SELECT");
  if (statement.parameterCount > 0) throw policyRefused("policy.sql has parameters, which nobody sets");
  const names = Array.from({ length: statement.columnCount }, (_, index) => statement.columnName(index));
  if (names.length !== 2 || names[0] !== "address" || names[1] !== "score") {
    const found = names.slice(0, 20).map(quoteText).join(", ");
    throw policyRefused(`policy.sql selects ${found}; select exactly address and score, in this order`);
  }
  const addressType = statement.columnTypeId(0);
  if (addressType !== DuckDBTypeId.VARCHAR && addressType !== DuckDBTypeId.BLOB) {
    throw policyRefused(
      `address has the type ${statement.columnType(0).toString()}; give text or a BLOB of 20 or 32 bytes`,
    );
  }
  const scoreType = statement.columnType(1);
  const isWhole = scoreType instanceof DuckDBDecimalType && scoreType.scale === 0;
  if (!isWhole && !integerTypes.has(scoreType.typeId)) {
    throw policyRefused(`score has the type ${scoreType.toString()}, which is not an integer`, {
      metaMessages: ["Round as the policy means it and cast: cast(floor(…) as hugeint). Divide integers with //."],
    });
  }
}

function spellingOf(address: DuckDBValue): string {
  if (typeof address === "string") return address;
  if (address instanceof DuckDBBlobValue) return `0x${Buffer.from(address.bytes).toString("hex")}`;
  throw policyRefused("the query gives a row whose address is null");
}

function accountOf(spelling: string): Account {
  try {
    return parseAccount(spelling, { accountBytes: [20, 32] });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw policyRefused(`the query gives a row that has no account: ${error.shortMessage}`, { cause: error });
  }
}

function scoreOf(value: DuckDBValue, account: Account): Score {
  if (value === null) throw policyRefused(`the query gives ${account} a score that is null`);
  const whole = value instanceof DuckDBDecimalValue ? value.value : value;
  const score = typeof whole === "number" || typeof whole === "bigint" ? BigInt(whole) : undefined;
  if (score === undefined) throw policyRefused(`the query gives ${account} a score that is not an integer`);
  if (score < 0n || score > u64Max) {
    throw policyRefused(`the query gives ${account} the score ${score}; scores go from 0 to ${u64Max}`);
  }
  return score;
}

function repeated(account: Account, first: string, second: string): InputError {
  const spellings = first === second ? "" : `, as ${quoteText(first)} and as ${quoteText(second)}`;
  return policyRefused(`the query gives ${account} two rows${spellings}`, {
    metaMessages: ["Group by the account, so that each has one row."],
  });
}

function tooManyRows(maxRows: number): Error {
  return policyLimit(`the policy gives more than ${maxRows.toLocaleString("en-US")} rows`, [
    "Give each account one row, and avoid joins without a condition.",
  ]);
}
