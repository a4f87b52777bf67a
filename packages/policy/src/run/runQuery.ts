import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBValue } from "@duckdb/node-api";
import { quoteText } from "@vipscore/core/errors";
import { chunksOf } from "../data/readRows.ts";
import { duckdb } from "../duckdb.ts";
import { policyInvalid, policyLimit, policyRefused } from "../policyError.ts";
import { checkQuery } from "./checkQuery.ts";
import { openTables } from "./openTables.ts";
import { probeSql } from "./probeSql.ts";
import type { QueryJob, QueryRows, QueryTable } from "./queryJob.ts";
import { describeSql, isNode, listOf, placeAt, textOf, walkTree, type TreeNode } from "./syntaxTree.ts";

/** The types that hold integers alone; DECIMAL does if it has no digits after the point. */
const wholeType = /^U?(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$|^DECIMAL\(\d+,0\)$/;

/** The view of the query. No source can have its name. */
const result = '"policy.sql"';

/** A query that was checked. */
interface PreparedQuery {
  readonly statement: DuckDBPreparedStatement;
  /** Its parts that take rows by a key. */
  readonly byKey: readonly string[];
}

/** Checks a query before it runs. The connection has the tables, see `openTables`. */
export async function prepareQuery(
  connection: DuckDBConnection,
  sql: string,
  tables: readonly Pick<QueryTable, "name" | "patterns">[],
): Promise<PreparedQuery> {
  const byKey = await checkQuery(connection, sql, tables);
  const statement = await (await connection.extractStatements(sql)).prepare(0);
  requireColumns(statement);
  await checkTypes(connection, sql);
  return { statement, byKey };
}

/** Checks and runs a query in this process; `onRows` gets rows sorted by address. Returns the parts that take rows by a key. */
export async function runQuery(job: QueryJob, onRows: (rows: QueryRows) => Promise<void>): Promise<readonly string[]> {
  const { sql, tables, limits, mode } = job;
  const { maxRows } = limits;
  const connection = await openTables(job);
  const { byKey, statement } = await prepareQuery(connection, sql, tables);
  const address = statement.columnTypeId(0) === duckdb.DuckDBTypeId.BLOB ? "'0x' || lower(hex(address))" : "address";
  await connection.run(`create view ${result} as ${mode === "probing" ? await probeSql(connection, sql) : sql}`);
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
  return byKey;
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
  const scoreType = statement.columnType(1).toString();
  if (!wholeType.test(scoreType)) {
    throw policyRefused(`score has the type ${scoreType}, which is not an integer`, {
      metaMessages: ["Divide with //, or round as the policy means it and cast: cast(floor(x * 1.5) as hugeint)."],
    });
  }
}

/** A type whose values are rounded to some binary digits. */
const floatType = /"(FLOAT|DOUBLE)"/;

const exactForms =
  "Write x // y for floor(x / y), all digits for 1e18, cast(x as decimal(38, 6)) for fractions, and floor(sqrt(cast(x as uinteger))) for roots.";

/** Integers that a DOUBLE holds exactly, and the larger ones of times. */
const smallInteger = /^U?(?:TINYINT|SMALLINT|INTEGER)$/;
const timeInteger = /^(?:U?(?:TINYINT|SMALLINT|INTEGER)|BIGINT)$/;

/**
 * Checks that no value is a float on its way to a score, since amounts have more digits (duckdb 13512, 24314), and that no
 * aggregate or key takes one of several equal values that differ. DuckDB's plan has the type of each expression, also of those in a
 * subquery, a function or a condition.
 */
async function checkTypes(connection: DuckDBConnection, sql: string): Promise<void> {
  const plan = await describeSql(connection, "json_serialize_plan", sql);
  if (plan["error"] !== false) {
    throw policyInvalid("policy.sql", "cannot be run", { details: textOf(plan, "error_message") });
  }
  const exact = new Set<unknown>();
  for (const node of walkTree(plan)) {
    for (const part of exactFloats(node)) exact.add(part);
    const float = exact.has(node) ? undefined : floatType.exec(JSON.stringify(typeOf(node)) ?? "")?.[1];
    if (float !== undefined)
      throw policyRefused(`${placeAt(sql, node["query_location"])} has the type ${float}, which rounds amounts`, {
        metaMessages: [exactForms],
      });
    const compared = node["expression_class"] === "BOUND_AGGREGATE" ? listOf(node, "children") : [];
    const keys = [node["groups"], node["distinct_targets"], node["partitions"], setKeysOf(node), compared];
    if (/"INTERVAL"/.test(JSON.stringify(keys.flat().map(typeOf))))
      throw policyRefused("policy.sql groups or sorts values of the type INTERVAL, of which equal ones can differ", {
        metaMessages: ["Write epoch_ms(x)."],
      });
  }
}

/** The floats below a node that are exact: times for functions that take no integer, and whole square roots of 32 bits. */
function exactFloats(node: TreeNode): readonly unknown[] {
  const [child] = listOf(node, "children");
  const [value] = listOf(child, "children");
  const name = textOf(node, "name");
  if (/^to_(?:timestamp|seconds)$/.test(name)) return isCastOf(timeInteger, child) ? [child] : [];
  const isRoot = name === "floor" && textOf(child, "name") === "sqrt" && isCastOf(smallInteger, value);
  return isRoot ? [node, child, value] : [];
}

function isCastOf(types: RegExp, node: unknown): boolean {
  return isNode(node) && types.test(textOf(typeOf(node["child"]), "id"));
}

/** The type of an expression in a plan. */
function typeOf(node: unknown): unknown {
  if (!isNode(node)) return undefined;
  return node["return_type"] ?? (isNode(node["value"]) ? node["value"]["type"] : undefined);
}

/** Returns the columns that INTERSECT and EXCEPT compare. */
function setKeysOf(node: TreeNode): readonly unknown[] {
  return /^LOGICAL_(?:INTERSECT|EXCEPT)$/.test(textOf(node, "type")) ? columnsBelow(node) : [];
}

function columnsBelow(node: TreeNode): readonly unknown[] {
  const isProjection = textOf(node, "type") === "LOGICAL_PROJECTION";
  return isProjection ? listOf(node, "expressions") : listOf(node, "children").filter(isNode).flatMap(columnsBelow);
}
