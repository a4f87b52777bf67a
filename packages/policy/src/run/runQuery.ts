import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBTypeId, DuckDBValue } from "@duckdb/node-api";
import { quoteText } from "@vipscore/core/errors";
import { chunksOf } from "../data/readRows.ts";
import { duckdb } from "../duckdb.ts";
import { policyInvalid, policyLimit, policyRefused } from "../policyError.ts";
import { addingAggregates, comparingAggregates } from "./allowedFunctions.ts";
import { checkQuery } from "./checkQuery.ts";
import { openTables } from "./openTables.ts";
import type { QueryJob, QueryRows, QueryTable } from "./queryJob.ts";
import { describeSql, isNode, textOf, walkTree, type TreeNode } from "./syntaxTree.ts";

/** The types that hold integers alone; DECIMAL does too if it has no digits after the point. */
const integerTypes: ReadonlySet<DuckDBTypeId> = new Set([
  duckdb.DuckDBTypeId.TINYINT,
  duckdb.DuckDBTypeId.SMALLINT,
  duckdb.DuckDBTypeId.INTEGER,
  duckdb.DuckDBTypeId.BIGINT,
  duckdb.DuckDBTypeId.HUGEINT,
  duckdb.DuckDBTypeId.UTINYINT,
  duckdb.DuckDBTypeId.USMALLINT,
  duckdb.DuckDBTypeId.UINTEGER,
  duckdb.DuckDBTypeId.UBIGINT,
  duckdb.DuckDBTypeId.UHUGEINT,
]);

/** The view of the query. No source can have its name. */
const result = '"policy.sql"';

/** A query that was checked. */
interface PreparedQuery {
  readonly statement: DuckDBPreparedStatement;
  /** How it uses the order of rows. */
  readonly use: "free" | "ordered";
}

/**
 * Checks a query before it runs.
 *
 * @param connection Of a database with the tables, see `openTables`.
 * @throws InputError `POLICY_REFUSED`, `POLICY_INVALID`; errors of DuckDB.
 */
export async function prepareQuery(
  connection: DuckDBConnection,
  sql: string,
  tables: readonly Pick<QueryTable, "name" | "addresses" | "texts">[],
): Promise<PreparedQuery> {
  const use = await checkQuery(connection, sql, tables);
  const statement = await (await connection.extractStatements(sql)).prepare(0);
  requireColumns(statement);
  await checkTypes(connection, sql);
  return { statement, use };
}

/**
 * Checks and runs a query in this process.
 *
 * @param onRows Called with rows of the result, sorted by address.
 * @returns How the query uses the order of rows.
 * @throws InputError `POLICY_REFUSED`, `POLICY_INVALID`; VipError `POLICY_LIMIT` for too many rows; errors of DuckDB; `BrokenStream`.
 */
export async function runQuery(job: QueryJob, onRows: (rows: QueryRows) => Promise<void>): Promise<"free" | "ordered"> {
  const { sql, tables, limits } = job;
  const { maxRows } = limits;
  const connection = await openTables(job);
  const { use, statement } = await prepareQuery(connection, sql, tables);
  const address = statement.columnTypeId(0) === duckdb.DuckDBTypeId.BLOB ? "'0x' || lower(hex(address))" : "address";
  await connection.run(`create view ${result} as ${sql}`);
  const limited = `from ${result} limit ${maxRows + 1}`;
  let count = 0;
  const rows = `select ${address} as address, score::varchar as score from (${limited}) order by all`;
  for await (const chunk of chunksOf(await connection.stream(rows))) {
    count += chunk.rowCount;
    if (count > maxRows) {
      throw policyLimit(`the policy gives more than ${maxRows.toLocaleString("en-US")} rows`, [
        "Give each account one row, and avoid joins without a condition.",
      ]);
    }
    const textOrNull = (value: DuckDBValue): string | null => (typeof value === "string" ? value : null);
    const [addresses = [], scores = []] = chunk.getColumns().map((values) => values.map(textOrNull));
    await onRows({ addresses, scores });
  }
  return use;
}

function requireColumns(statement: DuckDBPreparedStatement): void {
  if (statement.statementType !== duckdb.StatementType.SELECT) throw policyRefused("policy.sql is not a SELECT");
  if (statement.parameterCount > 0) throw policyRefused("policy.sql has parameters, which nobody sets");
  const names = Array.from({ length: statement.columnCount }, (_, index) => statement.columnName(index));
  if (names.length !== 2 || names[0] !== "address" || names[1] !== "score") {
    const found = names.slice(0, 20).map(quoteText).join(", ");
    throw policyRefused(`policy.sql selects ${found}; select exactly address and score, in this order`);
  }
  const addressType = statement.columnTypeId(0);
  if (addressType !== duckdb.DuckDBTypeId.VARCHAR && addressType !== duckdb.DuckDBTypeId.BLOB) {
    throw policyRefused(
      `address has the type ${statement.columnType(0).toString()}; give text or a BLOB of 20 or 32 bytes`,
    );
  }
  const scoreType = statement.columnType(1);
  const isWhole = scoreType instanceof duckdb.DuckDBDecimalType && scoreType.scale === 0;
  if (!isWhole && !integerTypes.has(scoreType.typeId)) {
    throw policyRefused(`score has the type ${scoreType.toString()}, which is not an integer`, {
      metaMessages: ["Round as the policy means it and cast: cast(floor(…) as hugeint). Divide integers with //."],
    });
  }
}

/** Types of which two equal values can differ, such as 0.0 and -0.0, or 30 days and 1 month. */
const looseType = /"(FLOAT|DOUBLE|INTERVAL)"/;

/** The sign that a processor gives to NaN is in its text and its bits. */
const signType = /"(VARCHAR|BIT|BLOB)"/;

/**
 * Checks that no aggregate adds floats, whose sum depends on the order of the rows, that no aggregate or key takes one of
 * several equal values that differ, and that no float becomes text. DuckDB's plan has the type of each argument, also where it comes from a subquery or from a function.
 */
async function checkTypes(connection: DuckDBConnection, sql: string): Promise<void> {
  const plan = await describeSql(connection, "json_serialize_plan", sql);
  if (plan["error"] !== false) {
    throw policyInvalid("policy.sql", "cannot be run", { details: textOf(plan, "error_message") });
  }
  for (const node of walkTree(plan)) {
    const name = textOf(node, "name") || textOf(node, "function_name");
    const adds = addingAggregates.has(name);
    const ofArguments = adds || comparingAggregates.has(name) ? looseTypeIn(node["arguments"]) : undefined;
    if (ofArguments !== undefined) {
      const why = adds ? "the order of the rows" : "which of two equal values comes first";
      throw policyRefused(`policy.sql uses ${name}() of the type ${ofArguments}, which depends on ${why}`, {
        metaMessages: [
          `Write ${name}() of integers: divide with //, or cast each value, as in ${name}(cast(x as decimal(38, 6))).`,
        ],
      });
    }
    const { child, return_type: type } = node;
    const ofText =
      signType.test(JSON.stringify(type ?? null)) && isNode(child) ? looseTypeIn(child["return_type"]) : undefined;
    if (ofText === "FLOAT" || ofText === "DOUBLE") {
      throw policyRefused(`policy.sql makes text of the type ${ofText}, whose NaN differs between processors`, {
        metaMessages: ["Cast it first, as in cast(x as decimal(38, 6))."],
      });
    }
    const keys = [node["groups"], node["distinct_targets"], node["partitions"], setKeysOf(node)];
    const ofKey = looseTypeIn(keys.flat().map((key) => (isNode(key) ? key["return_type"] : undefined)));
    if (ofKey === undefined) continue;
    throw policyRefused(`policy.sql groups rows by a value of the type ${ofKey}, of which equal ones can differ`, {
      metaMessages: ["Cast it, as in cast(x as decimal(38, 6)), or write epoch(x) of an interval."],
    });
  }
}

/** Returns the columns that INTERSECT and EXCEPT compare. */
function setKeysOf(node: TreeNode): readonly unknown[] {
  return /^LOGICAL_(?:INTERSECT|EXCEPT)$/.test(textOf(node, "type")) ? columnsBelow(node) : [];
}

function columnsBelow(node: TreeNode): readonly unknown[] {
  const { children, expressions } = node;
  if (textOf(node, "type") === "LOGICAL_PROJECTION" && Array.isArray(expressions)) return expressions;
  return Array.isArray(children) ? children.filter(isNode).flatMap(columnsBelow) : [];
}

/** Returns the first of the types in parts of a plan whose equal values can differ. */
function looseTypeIn(types: unknown): string | undefined {
  return looseType.exec(JSON.stringify(types ?? null))?.[1];
}
