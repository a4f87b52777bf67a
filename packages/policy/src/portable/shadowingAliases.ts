import { textOf, walkTree, type TreeNode } from "../run/syntaxTree.ts";

/**
 * Finds names that a SELECT gives to a value and reads as a column too, while a table or another SELECT has a column of that
 * name. ClickHouse takes the value wherever the name stands; DuckDB and Spark take the column.
 *
 * @param columns The columns of the sources.
 * @returns The values that have the names.
 */
export function shadowingAliases(tree: TreeNode, columns: readonly string[]): readonly TreeNode[] {
  const nodes = [...walkTree(tree)];
  const selects = nodes.filter((node) => node["type"] === "SELECT_NODE");
  const named = ["aliases", "column_name_alias"].flatMap((field) => nodes.flatMap((node) => textsOf(node[field])));
  return selects.flatMap((select) => {
    const others = selects.filter((other) => other !== select).flatMap((other) => itemsOf(other).map(nameOf));
    const taken = new Set([...columns, ...named, ...others].map((name) => name.toLowerCase()));
    const { cte_map: _, ...own } = select;
    const read = new Set([...walkTree(own)].map(columnOf));
    return itemsOf(select).filter((item) => {
      const alias = textOf(item, "alias").toLowerCase();
      return alias !== "" && columnOf(item) !== alias && taken.has(alias) && read.has(alias);
    });
  });
}

function itemsOf(select: TreeNode): readonly TreeNode[] {
  const items = select["select_list"];
  return Array.isArray(items) ? (items as readonly TreeNode[]) : [];
}

/** The name of a value of a SELECT, as far as it has one. */
function nameOf(item: TreeNode): string {
  return textOf(item, "alias") || (columnOf(item) ?? "");
}

/** The name of a column that stands alone, in lower case. */
function columnOf(node: TreeNode): string | undefined {
  const names = node["class"] === "COLUMN_REF" ? textsOf(node["column_names"]) : [];
  return names.length === 1 ? names[0]?.toLowerCase() : undefined;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
