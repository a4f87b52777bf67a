import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteText } from "@vipscore/core/errors";
import { policyInvalid, policyRefused } from "../policyError.ts";
import { storedSpelling } from "../sources/convertValue.ts";
import { isSystemName } from "../sources/policySource.ts";
import { adviceOf, allowedFunctions, orderedAggregates, orderedWindows } from "./allowedFunctions.ts";
import type { QueryTable } from "./queryJob.ts";
import { describeSql, isNode, listOf, placeAt, textOf, walkTree, type TreeNode } from "./syntaxTree.ts";

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
 * @returns The parts of the query that take rows by a key, which may not be unique; none if no order counts.
 * @throws InputError `POLICY_REFUSED` with what is not allowed and its line; `POLICY_INVALID` if it is not SQL.
 */
export async function checkQuery(
  connection: DuckDBConnection,
  sql: string,
  sources: readonly Pick<QueryTable, "name" | "patterns">[],
): Promise<readonly string[]> {
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
  const tables = new Set([...sources.map(({ name }) => name), ...nodes.flatMap((node) => namesOfCtes(node))]);
  const patterns = [...new Set(sources.flatMap((source) => source.patterns))].map((pattern) => new RegExp(pattern));
  const byKey = new Set<string>();
  const sorted = new Set<unknown>();
  for (const node of nodes) {
    sorted.add(sortedBy(node));
    const order = sorted.has(node) ? undefined : orderUseOf(node);
    if (order !== undefined) byKey.add(order.what);
    const problem =
      sampleProblem(node) ??
      tableProblem(node, tables) ??
      wordProblem(node) ??
      collateProblem(node) ??
      functionProblem(node) ??
      textProblem(node, patterns) ??
      (order?.why === undefined ? undefined : { what: order.what, why: order.why });
    if (problem === undefined) continue;
    throw policyRefused(`${placeAt(sql, node["query_location"])} uses ${problem.what}`, {
      metaMessages: [problem.why],
    });
  }
  return [...byKey];
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
  return listOf(node, "map").flatMap((entry) => {
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
  const [name, ...more] = node["class"] === "COLUMN_REF" ? listOf(node, "column_names") : [];
  if (typeof name !== "string" || more.length > 0 || !timeWords.has(name.toLowerCase())) return undefined;
  return { what: name.toLowerCase(), why: notTheSame };
}

function collateProblem(node: TreeNode): Problem | undefined {
  if (node["class"] !== "COLLATE") return undefined;
  return { what: "COLLATE, which takes texts that differ for equal", why: "Write lower(x), or another function." };
}

function functionProblem(node: TreeNode): Problem | undefined {
  if (node["class"] !== "FUNCTION" && node["class"] !== "WINDOW") return undefined;
  const name = textOf(node, "function_name").toLowerCase();
  if (allowedFunctions.has(name)) return undefined;
  return { what: `the function ${quoteText(name)}, which is not allowed`, why: adviceOf(name) };
}

/**
 * Finds a text that reads as an account or as hex, in another spelling than the sources have. SQL compares texts, so it would never
 * match: an exclusion would exclude nobody (createXcrunch PR 12).
 */
function textProblem(node: TreeNode, patterns: readonly RegExp[]): Problem | undefined {
  const value = node["class"] === "CONSTANT" ? node["value"] : undefined;
  if (!isNode(value) || textOf(value["type"], "id") !== "VARCHAR") return undefined;
  const text = textOf(value, "value");
  const account = storedSpelling(text);
  if (account !== undefined && account !== text) {
    const why =
      "Sources have addresses as 0x and 40 or 64 lower-case hex digits; declare a column as address if its texts are others.";
    return { what: `the account ${quoteText(text)}`, why: `Write '${account}'. ${why}` };
  }
  const isStored = (spelling: string): boolean => patterns.some((pattern) => pattern.test(spelling));
  if (account !== undefined || isStored(text)) return undefined;
  const hex = text.trim();
  const isPrefixed = /^0x./i.test(hex);
  const spelling = isPrefixed ? hex.toLowerCase() : hex.toUpperCase();
  if (hex === "" || !isStored(spelling)) return undefined;
  const other = isPrefixed ? "" : `, or lower('${spelling}') for what is not a hash of the chain`;
  return { what: `${quoteText(text)}, which no source has so`, why: `Write '${spelling}'${other}.` };
}

/** A part of a query that takes rows by a key; without one, by the order of the rows, and `why` says what to write. */
type OrderUse = Pick<Problem, "what"> & Partial<Problem>;

const uniqueKey = "Add ORDER BY with a unique key, such as height, tx_index, event_index";

/** Functions that sort a list, so that the order of its values before makes no difference. */
const sorts: ReadonlySet<string> = new Set(["array_reverse_sort", "array_sort", "list_reverse_sort", "list_sort"]);

/** Aggregates whose value is a list in the order of the rows, which a sort hides. */
const lists: ReadonlySet<string> = new Set(["array_agg", "list"]);

/** Returns the aggregate that a node sorts: DuckDB parses `list(x order by x)` as `list_sort(list(x))`. */
function sortedBy(node: TreeNode): unknown {
  const [first] = sorts.has(textOf(node, "function_name").toLowerCase()) ? listOf(node, "children") : [];
  const isList = textOf(first, "class") === "FUNCTION" && lists.has(textOf(first, "function_name").toLowerCase());
  return isList ? first : undefined;
}

/** Finds out whether the value of one node of a syntax tree may depend on the order in which the rows come. */
function orderUseOf(node: TreeNode): OrderUse | undefined {
  return limitUse(node) ?? joinUse(node) ?? windowUse(node) ?? aggregateUse(node);
}

function limitUse(node: TreeNode): OrderUse | undefined {
  const modifiers = listOf(node, "modifiers");
  const isOrdered = modifiers.some(hasOrders);
  for (const modifier of modifiers) {
    const type = textOf(modifier, "type");
    const isOn = type === "DISTINCT_MODIFIER" && listOf(modifier, "distinct_on_targets").length > 0;
    if (!isOn && !type.startsWith("LIMIT_")) continue;
    const what = isOn ? "DISTINCT ON" : "LIMIT or OFFSET";
    return isOrdered ? { what } : { what: `${what} without ORDER BY`, why: `${uniqueKey}.` };
  }
  return undefined;
}

function joinUse(node: TreeNode): OrderUse | undefined {
  if (listOf(node, "key_targets").length > 0) {
    return { what: "a recursion USING KEY", why: "Write a recursion with UNION ALL, and group its rows." };
  }
  if (node["ref_type"] === "POSITIONAL") {
    return { what: "a POSITIONAL JOIN", why: "Join the rows by a key of both." };
  }
  return node["ref_type"] === "ASOF" ? { what: "ASOF JOIN" } : undefined;
}

function windowUse(node: TreeNode): OrderUse | undefined {
  if (node["class"] !== "WINDOW") return undefined;
  const name = textOf(node, "function_name").toLowerCase();
  const countsRows = ["start", "end"].some((side) => textOf(node, side).endsWith("_ROWS"));
  if (!countsRows && !orderedWindows.has(name) && !orderedAggregates.has(name)) return undefined;
  if (listOf(node, "orders").length + listOf(node, "arg_orders").length > 0) return { what: `${name}() over` };
  return { what: `the window ${name}() without ORDER BY`, why: `${uniqueKey}, inside of over (…).` };
}

function aggregateUse(node: TreeNode): OrderUse | undefined {
  const name = textOf(node, "function_name").toLowerCase();
  if (node["class"] !== "FUNCTION" || !orderedAggregates.has(name)) return undefined;
  if (hasOrders(node["order_bys"])) return { what: `${name}()` };
  return {
    what: `${name}() without ORDER BY`,
    why: `${uniqueKey}, as in ${name}(x order by height), or write max(x).`,
  };
}

function hasOrders(modifier: unknown): boolean {
  return textOf(modifier, "type") === "ORDER_MODIFIER" && listOf(modifier, "orders").length > 0;
}
