import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteText } from "@vipscore/core/errors";
import { policyInvalid, policyRefused } from "../policyError.ts";
import { isSystemName } from "../sources/policySource.ts";
import { adviceOf, allowedFunctions } from "./allowedFunctions.ts";
import { orderUseOf, sortedBy } from "./checkOrder.ts";
import { describeSql, lineAt, textOf, walkTree, type TreeNode } from "./syntaxTree.ts";

/** The table functions that only compute. All others read files, settings or other queries. */
const tableFunctions: ReadonlySet<string> = new Set(["range", "generate_series", "unnest"]);

/** Words of SQL that are the time, although they look like columns. */
const timeWords: ReadonlySet<string> = new Set([
  "current_date",
  "current_time",
  "current_timestamp",
  "localtime",
  "localtimestamp",
]);

/**
 * Checks that a query is one SELECT over the sources alone, of functions whose value is the same everywhere, and whose result
 * does not depend on the order of the rows.
 *
 * @param sources The names of the tables that it may read.
 * @returns `ordered` if the query takes rows by an ORDER BY whose key may not be unique; `free` if not.
 * @throws InputError `POLICY_REFUSED` with what is not allowed and its line; `POLICY_INVALID` if it is not SQL.
 */
export async function checkQuery(
  connection: DuckDBConnection,
  sql: string,
  sources: readonly string[],
): Promise<"free" | "ordered"> {
  const statements = await connection.extractStatements(sql).catch((cause: unknown) => {
    const details = cause instanceof Error ? cause.message : String(cause);
    // For a text of comments alone, the binding fails with this instead of DuckDB's message.
    if (details === "Error in native callback") return undefined;
    throw policyInvalid("policy.sql", "is not SQL", { details, cause });
  });
  const count = statements?.count ?? 0;
  if (count !== 1) {
    throw policyRefused(
      `policy.sql has ${count === 0 ? "no statement" : `${count} statements`}; write exactly one SELECT`,
    );
  }
  const tree = await describeSql(connection, "json_serialize_sql", sql);
  if (tree["error"] !== false) {
    throw policyRefused("policy.sql is not a SELECT; a policy is exactly one SELECT over its sources");
  }
  const nodes = [...walkTree(tree)];
  const tables = new Set([...sources, ...nodes.flatMap((node) => namesOfCtes(node))]);
  let use: "free" | "ordered" = "free";
  const sorted = new Set<unknown>();
  for (const node of nodes) {
    sorted.add(sortedBy(node));
    const order = sorted.has(node) ? "free" : orderUseOf(node);
    if (order === "ordered") use = order;
    const problem =
      sampleProblem(node) ??
      tableProblem(node, tables) ??
      wordProblem(node) ??
      functionProblem(node) ??
      (typeof order === "string" ? undefined : { what: order.what, why: order.instead });
    if (problem === undefined) continue;
    const line = lineAt(sql, node["query_location"]);
    throw policyRefused(`policy.sql${line === undefined ? "" : `:${line}`} uses ${problem.what}`, {
      metaMessages: [problem.why],
    });
  }
  return use;
}

interface Problem {
  readonly what: string;
  readonly why: string;
}

const notTheSame = "Scores have to be the same at every run, on every machine.";
const sourcesOnly = "A policy reads its sources alone; add a [[source]] to policy.toml.";

/**
 * The names that a WITH gives. Outside of its scope, a name that is also one of DuckDB's would read that, and one like a path a
 * file.
 */
function namesOfCtes(node: TreeNode): readonly string[] {
  const entries = node["map"];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) => {
    const name = textOf(entry, "key").toLowerCase();
    return !/^\w+$/u.test(name) || isSystemName(name) ? [] : [name];
  });
}

function sampleProblem(node: TreeNode): Problem | undefined {
  const sample = node["sample"];
  return sample === null || sample === undefined ? undefined : { what: "a random sample", why: notTheSame };
}

function tableProblem(node: TreeNode, tables: ReadonlySet<string>): Problem | undefined {
  if (node["type"] === "SHOW_REF") return { what: "DESCRIBE, SHOW or SUMMARIZE", why: sourcesOnly };
  if (node["type"] === "TABLE_FUNCTION") {
    const name = textOf(node["function"], "function_name").toLowerCase();
    return tableFunctions.has(name) ? undefined : { what: `the table function ${quoteText(name)}`, why: sourcesOnly };
  }
  if (node["type"] !== "BASE_TABLE") return undefined;
  const name = textOf(node, "table_name").toLowerCase();
  const schema = [textOf(node, "catalog_name"), textOf(node, "schema_name")].filter((part) => part !== "");
  if (schema.length === 0 && tables.has(name)) return undefined;
  return { what: `the table ${quoteText([...schema, name].join("."))}, which is not a source`, why: sourcesOnly };
}

function wordProblem(node: TreeNode): Problem | undefined {
  const names = node["column_names"];
  const [name, ...more]: readonly unknown[] = node["class"] === "COLUMN_REF" && Array.isArray(names) ? names : [];
  if (typeof name !== "string" || more.length > 0 || !timeWords.has(name.toLowerCase())) return undefined;
  return { what: name.toLowerCase(), why: notTheSame };
}

function functionProblem(node: TreeNode): Problem | undefined {
  if (node["class"] !== "FUNCTION" && node["class"] !== "WINDOW") return undefined;
  const name = textOf(node, "function_name").toLowerCase();
  if (allowedFunctions.has(name)) return undefined;
  return { what: `the function ${quoteText(name)}, which is not allowed`, why: adviceOf(name) };
}
