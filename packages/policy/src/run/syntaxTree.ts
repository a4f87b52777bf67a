import type { DuckDBConnection } from "@duckdb/node-api";

/** A node of the syntax tree that DuckDB writes as JSON. */
export interface TreeNode {
  readonly [field: string]: unknown;
}

/** Parses SQL without binding it; undefined if it is anything but SELECT statements. */
export async function parseSelect(connection: DuckDBConnection, sql: string): Promise<TreeNode | undefined> {
  const reader = await connection.runAndReadAll("select json_serialize_sql($1::varchar)::varchar", [sql]);
  const [[json] = []] = reader.getRows();
  const tree: unknown = JSON.parse(String(json));
  return isNode(tree) && tree["error"] === false ? tree : undefined;
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

function isNode(value: unknown): value is TreeNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
