import type { DuckDBConnection } from "@duckdb/node-api";
import { duckdb } from "../duckdb.ts";

/** A node of the syntax tree that DuckDB writes as JSON. */
export interface TreeNode {
  readonly [field: string]: unknown;
}

/**
 * Returns what DuckDB writes about SQL: its syntax tree, without binding it, or its plan with the types. If SQL is anything but
 * SELECT statements, or cannot be planned, `error` is true and `error_message` says why.
 */
export async function describeSql(
  connection: DuckDBConnection,
  what: "json_serialize_sql" | "json_serialize_plan",
  sql: string,
): Promise<TreeNode> {
  const reader = await connection.runAndReadAll(`select ${what}($1::varchar)::varchar`, [sql]);
  const [[json] = []] = reader.getRows();
  const tree: unknown = JSON.parse(String(json));
  return isNode(tree) ? tree : { error: true };
}

/** Returns the syntax tree of a query, which is only parsed. */
export async function parseSql(sql: string): Promise<TreeNode> {
  const instance = await duckdb.DuckDBInstance.create(":memory:", { threads: "1", enable_external_access: "false" });
  const connection = await instance.connect();
  try {
    return await describeSql(connection, "json_serialize_sql", sql);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Yields every object in a tree, parents first. Keeps its own stack: a query may nest deeper than JavaScript's. */
export function* walkTree(tree: TreeNode): Generator<TreeNode, void, undefined> {
  const waiting: unknown[] = [tree];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (isNode(node)) yield node;
    if (typeof node === "object" && node !== null) waiting.push(...Object.values(node).toReversed());
  }
}

/** Returns a field if it is text, otherwise an empty text. */
export function textOf(node: unknown, field: string): string {
  const value = isNode(node) ? node[field] : undefined;
  return typeof value === "string" ? value : "";
}

/** Returns a field if it is a list, otherwise an empty list. */
export function listOf(node: unknown, field: string): readonly unknown[] {
  const value = isNode(node) ? node[field] : undefined;
  return Array.isArray(value) ? value : [];
}

/** True for a join that has only rows of both tables: INNER or CROSS. */
export function isInnerJoin(node: TreeNode): boolean {
  return node["ref_type"] === "CROSS" || (node["ref_type"] === "REGULAR" && node["join_type"] === "INNER");
}

/** True for an object of a tree. */
export function isNode(value: unknown): value is TreeNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the line of a byte of a text, from 1; undefined if a node has no place. */
export function lineAt(sql: string, location: unknown): number | undefined {
  const bytes = Buffer.from(sql);
  if (typeof location !== "number" || location > bytes.length) return undefined;
  return bytes.subarray(0, location).toString("latin1").split("\n").length;
}

/** Names the place of a byte of `policy.sql`, for messages. */
export function placeAt(sql: string, location: unknown): string {
  const line = lineAt(sql, location);
  return line === undefined ? "policy.sql" : `policy.sql:${line}`;
}
