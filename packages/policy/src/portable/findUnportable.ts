import { quoteText } from "@vipscore/core/errors";
import type { PolicyFinding } from "../check/checkScores.ts";
import { isNode, lineAt, listOf, parseSql, textOf, walkTree, type TreeNode } from "../run/syntaxTree.ts";
import type { PolicySource } from "../sources/policySource.ts";
import { differenceOf, type Difference } from "./portableNodes.ts";

/** A part of a query that other engines read differently, or that is not known to be the same. */
export interface Unportable extends Difference {
  /** The file and the line: `policy.sql:5`. */
  readonly place: string;
}

/**
 * Finds what Spark and ClickHouse may compute differently in a query of DuckDB. Only what is tested on both is portable; anything
 * else is listed.
 *
 * @param sql A query that `runPolicy` accepts; of what is not SQL, nothing is listed.
 * @param sources The sources that it reads.
 * @returns The parts in their order, each kind once a line.
 */
export async function findUnportable(
  sql: string,
  sources: readonly Pick<PolicySource, "columns">[],
): Promise<readonly Unportable[]> {
  const tree = await parseSql(sql);
  const found = [...textDifferences(sql)];
  let line = 1;
  for (const node of walkTree(tree)) {
    const difference = differenceOf(node);
    line = lineAt(sql, node["query_location"]) ?? line;
    // What has no place has that of its first part, or, as a missing ELSE, that of the node before it.
    if (difference !== undefined) found.push({ ...difference, line: lineOf(node, sql) ?? line });
  }
  const columns = sources.flatMap((source) => source.columns);
  const names = columns.map(({ name }) => name);
  for (const item of shadowingAliases(tree, names)) {
    found.push({
      line: lineOf(item, sql) ?? 1,
      what: `the name ${quoteText(textOf(item, "alias"))}, which is also a column's`,
      why: "ClickHouse takes the new value wherever the name stands. Choose another name.",
    });
  }
  const nullable = new Set(columns.filter((column) => column.nullable === true).map(({ name }) => name));
  for (const node of walkTree(tree)) {
    const name = columnOf(node) ?? "";
    if (!nullable.has(name)) continue;
    const why = "Where ClickHouse has no value, it may take 0 or an empty text instead of null.";
    found.push({ line: lineOf(node, sql) ?? 1, what: `the column ${quoteText(name)}, which may be null`, why });
  }
  const unique = new Map(found.map((item) => [`${item.line} ${item.what}`, item]));
  return [...unique.values()]
    .sort((one, other) => one.line - other.line)
    .map(({ line: at, what, why }) => ({ place: `policy.sql:${at}`, what, why }));
}

/** Makes the finding of `score check --portable`. */
export function checkPortable(unportable: readonly Unportable[]): PolicyFinding {
  const fix = unportable.map(({ place, what, why }) => `${place} uses ${what}. ${why}`);
  const [state, text] =
    fix.length === 0
      ? (["ok", "the query means the same to Spark and ClickHouse"] as const)
      : (["forbidden", `parts of the query that Spark or ClickHouse may read differently: ${fix.length}`] as const);
  return { check: "portable", state, text, fix, accounts: [] };
}

function lineOf(node: TreeNode, sql: string): number | undefined {
  for (const part of walkTree(node)) {
    const line = lineAt(sql, part["query_location"]);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Texts and comments, of which the syntax tree shows no difference, and what is wrong outside of them. */
const tokens = /'(?:[^']|'')*'|--[^\n]*|"|\/\*/g;

function* textDifferences(sql: string): Generator<Difference & { readonly line: number }, void, undefined> {
  for (const { 0: token, index } of sql.matchAll(tokens)) {
    const line = sql.slice(0, index).split("\n").length;
    if (token === '"')
      yield { what: 'a name in "', why: "Spark reads it as a text. Write names without quotes.", line };
    if (token === "/*") yield { what: "a comment in /* */", why: "Nested ones end elsewhere. Write --.", line };
  }
}

/**
 * Finds names that a SELECT gives to a value and reads as a column too, while a table or another SELECT has a column of that
 * name. ClickHouse takes the value wherever the name stands; DuckDB and Spark take the column.
 */
function shadowingAliases(tree: TreeNode, columns: readonly string[]): readonly TreeNode[] {
  const nodes = [...walkTree(tree)];
  const selects = nodes.filter((node) => node["type"] === "SELECT_NODE");
  const named = ["aliases", "column_name_alias"].flatMap((field) =>
    nodes.flatMap((node) => listOf(node, field).map(String)),
  );
  return selects.flatMap((select) => {
    const others = selects.filter((other) => other !== select).flatMap((other) => itemsOf(other).map(functionName));
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
  return listOf(select, "select_list").filter(isNode);
}

/** The name of a value of a SELECT, as far as it has one. */
function functionName(item: TreeNode): string {
  return textOf(item, "alias") || (columnOf(item) ?? "");
}

/** The name of a column that stands alone, in lower case. */
function columnOf(node: TreeNode): string | undefined {
  const names = node["class"] === "COLUMN_REF" ? listOf(node, "column_names") : [];
  return names.length === 1 ? String(names[0]).toLowerCase() : undefined;
}
