import type { DuckDBConnection } from "@duckdb/node-api";
import { describeSql, isNode, textOf, walkTree, type TreeNode } from "./syntaxTree.ts";

/** A probe ends with this text and what it met. */
export const probeFound = "rows are left out by ";

const divisions = /^(?:\/\/|%|mod|divide)$/;
const choices = /^(?:arg_?(?:max|min)|(?:max|min)_by)$/;

/**
 * Returns a query that fails where DuckDB leaves out rows without a word: a division by 0 is null (duckdb 25004), NOT IN with a
 * null is never true (duckdb 6910), and arg_max() skips nulls (duckdb-web 3985).
 */
export async function probeSql(connection: DuckDBConnection, sql: string): Promise<string> {
  const tree = await describeSql(connection, "json_serialize_sql", sql);
  const nodes = [...walkTree(tree)];
  // What an aggregate's FILTER leaves out is computed too.
  const filtered = new Set(nodes.flatMap((node) => (isNode(node["filter"]) ? [...walkTree(node)] : [])));
  for (const node of nodes) {
    if (filtered.has(node) || !Array.isArray(node["children"])) continue;
    const children: unknown[] = node["children"];
    const name = textOf(node, "function_name").toLowerCase();
    const [first] = children;
    if (divisions.test(name))
      children[1] = guard(call("nullif", children[1], constant("INTEGER", 0)), `a division (${name}) by 0`);
    else if (choices.test(name))
      children.splice(0, 2, ...children.slice(0, 2).map((child) => guard(child, `${name}() of a null`)));
    else if (node["type"] === "COMPARE_NOT_IN") children.splice(0, children.length, ...children.map(guardIn));
    else if (node["type"] === "OPERATOR_NOT" && isNode(first) && textOf(first, "subquery_type") === "ANY")
      Object.assign(first, { child: guardIn(first["child"]), subquery: guardedQuery(first["subquery"]) });
  }
  const text = JSON.stringify(tree, (key, value: unknown) => (key === "query_location" ? undefined : value));
  const reader = await connection.runAndReadAll("select json_deserialize_sql($1::json)", [text]);
  return String(reader.getRows()[0]?.[0]);
}

/** An expression that fails instead of being null. */
function guard(child: unknown, name: string): TreeNode {
  const children = [child, call("error", constant("VARCHAR", `${probeFound}${name}`))];
  return { class: "OPERATOR", type: "OPERATOR_COALESCE", children };
}

function guardIn(child: unknown): TreeNode {
  return guard(child, "NOT IN with a null");
}

/** A subquery of one column that fails instead of returning null. */
function guardedQuery(subquery: unknown): TreeNode {
  const column = { class: "COLUMN_REF", type: "COLUMN_REF", column_names: ["value"] };
  const table = { type: "SUBQUERY", alias: "probed", subquery, column_name_alias: ["value"] };
  const nothing = { modifiers: [], cte_map: { map: [] }, group_expressions: [], group_sets: [] };
  const select = { type: "SELECT_NODE", aggregate_handling: "STANDARD_HANDLING", ...nothing };
  return { node: { ...select, select_list: [guardIn(column)], from_table: table } };
}

function call(name: string, ...children: readonly unknown[]): TreeNode {
  return { class: "FUNCTION", type: "FUNCTION", function_name: name, children };
}

function constant(id: string, value: unknown): TreeNode {
  return { class: "CONSTANT", type: "VALUE_CONSTANT", value: { type: { id, type_info: null }, is_null: false, value } };
}
