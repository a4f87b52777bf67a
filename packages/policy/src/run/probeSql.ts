import type { DuckDBConnection } from "@duckdb/node-api";
import { describeSql, isNode, listOf, textOf, walkTree, type TreeNode } from "./syntaxTree.ts";

/** A probe ends with this text and what it met. */
export const probeFound = "rows are left out by ";

/**
 * Returns a query that fails where DuckDB silently leaves out rows: a division by 0 is null (duckdb 25004), NOT IN with a
 * null is never true (duckdb 6910), and arg_max() skips nulls (duckdb-web 3985).
 */
export async function probeSql(connection: DuckDBConnection, sql: string): Promise<string> {
  const tree = await describeSql(connection, "json_serialize_sql", sql);
  const nodes = [...walkTree(tree)];
  // What an aggregate's FILTER leaves out is computed too; coalesce() says what counts instead of a null.
  const isSettled = (node: TreeNode): boolean => isNode(node["filter"]) || node["type"] === "OPERATOR_COALESCE";
  const settled = new Set(nodes.flatMap((node) => (isSettled(node) ? [...walkTree(node)] : [])));
  for (const node of nodes) {
    const children = settled.has(node) ? [] : listOf(node, "children").filter(isNode);
    const name = textOf(node, "function_name").toLowerCase();
    const isNotIn = node["type"] === "OPERATOR_NOT" && textOf(children[0], "subquery_type") === "ANY";
    if (children.length === 0) continue;
    if (/^(?:\/\/|%|mod|divide)$/.test(name)) guard(node, `a division (${name}) by 0`);
    else if (node["type"] === "COMPARE_NOT_IN" || isNotIn) guard(node, "NOT IN with a null");
    else if (/^(?:arg_?(?:max|min)|(?:max|min)_by)$/.test(name))
      for (const child of children.slice(0, 2)) guard(child, `${name}() of a null`);
  }
  const text = JSON.stringify(tree, (key, value: unknown) => (key === "query_location" ? undefined : value));
  const reader = await connection.runAndReadAll("select json_deserialize_sql($1::json)", [text]);
  return String(reader.getRows()[0]?.[0]);
}

/** Makes an expression fail where it would be null. */
function guard(node: TreeNode, what: string): void {
  const value = { type: { id: "VARCHAR", type_info: null }, is_null: false, value: `${probeFound}${what}` };
  const message = { class: "CONSTANT", type: "VALUE_CONSTANT", value };
  const error = { class: "FUNCTION", type: "FUNCTION", function_name: "error", children: [message] };
  Object.assign(node, { class: "OPERATOR", type: "OPERATOR_COALESCE", children: [{ ...node, alias: "" }, error] });
}
