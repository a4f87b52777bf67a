import { isInnerJoin, isNode, listOf, textOf, type TreeNode } from "../run/syntaxTree.ts";

/** What other engines read differently, and what to write instead. */
export interface Difference {
  readonly what: string;
  readonly why: string;
}

/**
 * Functions and operators whose value is the same in Spark and ClickHouse, for values that are not null. The nightly test runs
 * all of them on both.
 */
export const portableFunctions: ReadonlySet<string> = new Set(
  "+ - * % abs least greatest count count_star sum min max row_number rank dense_rank".split(" "),
);

/** Aggregates that give null for no row in DuckDB and Spark, and 0 in ClickHouse. */
const nullableAggregates: ReadonlySet<string> = new Set(["sum", "min", "max"]);

/** Expressions, by their class, or class and type. */
const portableExpressions: ReadonlySet<string> = new Set([
  "COLUMN_REF",
  "COMPARISON",
  "CONJUNCTION",
  "BETWEEN",
  "CASE",
  "OPERATOR OPERATOR_NOT",
  "OPERATOR COMPARE_IN",
  "OPERATOR COMPARE_NOT_IN",
  "SUBQUERY ANY",
]);

/** What a star leaves out or replaces. */
const starLists = ["exclude_list", "replace_list", "rename_list", "qualified_exclude_list"];

/** Parts of a query that are not expressions, by their type. */
const portableParts: ReadonlySet<string> = new Set([
  "SELECT_NODE",
  "SET_OPERATION_NODE",
  "BASE_TABLE",
  "SUBQUERY",
  "JOIN",
  "EXPRESSION_LIST",
  "EMPTY",
  "ORDER_MODIFIER",
  "ORDER_DEFAULT",
  "ASCENDING",
  "DESCENDING",
  "LIMIT_MODIFIER",
  "DISTINCT_MODIFIER",
]);

const withoutDivision = "Group by x - x % n instead of x // n, and give larger points instead of dividing them.";

const functionReasons: ReadonlyMap<string, string> = new Map([
  ["//", `ClickHouse reads it as the start of a comment and gives other scores. ${withoutDivision}`],
  ["/", `Each engine divides integers in another way. ${withoutDivision}`],
]);

const unknown = "It is not among what is tested on Spark and ClickHouse; docs/policy.md lists that.";
const withoutNull = "Where ClickHouse has no value, it takes 0 or an empty text instead of null.";

/** Returns how a node of a syntax tree, seen alone, differs in other engines; undefined if it does not. */
export function differenceOf(node: TreeNode): Difference | undefined {
  const { class: ofClass, type } = node;
  if (typeof ofClass === "string") return differenceOfExpression(node, ofClass);
  return typeof type === "string" ? differenceOfPart(node, type) : undefined;
}

function differenceOfExpression(node: TreeNode, ofClass: string): Difference | undefined {
  switch (ofClass) {
    case "FUNCTION":
    case "WINDOW":
      return differenceOfFunction(node);
    case "CONSTANT":
      return differenceOfConstant(node["value"]);
    case "STAR":
      return starLists.every((field) => listOf(node, field).length === 0) && node["columns"] === false
        ? undefined
        : { what: "* with EXCLUDE, REPLACE, RENAME or COLUMNS", why: unknown };
    case "CAST":
      // DuckDB reads true and false as such a cast.
      return textOf(node["cast_type"], "id") === "BOOLEAN" && textOf(node["child"], "class") === "CONSTANT"
        ? undefined
        : { what: "a cast", why: "DuckDB rounds, Spark and ClickHouse cut off, and they name types differently." };
  }
  const detail = ofClass === "SUBQUERY" ? textOf(node, "subquery_type") : textOf(node, "type");
  if (portableExpressions.has(ofClass) || portableExpressions.has(`${ofClass} ${detail}`)) return undefined;
  const isOfNull = /NULL|COALESCE|SCALAR/.test(detail);
  return { what: wordsOf(detail), why: isOfNull ? withoutNull : unknown };
}

function differenceOfFunction(node: TreeNode): Difference | undefined {
  const name = textOf(node, "function_name").toLowerCase();
  if (!portableFunctions.has(name)) {
    const what = /^\w/.test(name) ? `${name}()` : name;
    return { what, why: functionReasons.get(name) ?? unknown };
  }
  if (isNode(node["filter"]) || isNode(node["filter_expr"])) {
    return { what: `${name}() with FILTER`, why: `${withoutNull} Write sum(case when … then x else 0 end).` };
  }
  if (node["distinct"] === true && name !== "count") return { what: `${name}(distinct …)`, why: unknown };
  const isDefault = node["start"] === "UNBOUNDED_PRECEDING" && node["end"] === "CURRENT_ROW_RANGE";
  if (node["class"] === "WINDOW" && !(isDefault && node["exclude_clause"] === "NO_OTHER")) {
    return { what: `a frame of the window ${name}()`, why: unknown };
  }
  return undefined;
}

function differenceOfConstant(value: unknown): Difference | undefined {
  if (!isNode(value)) return undefined;
  const type = textOf(value["type"], "id");
  if (value["is_null"] === true) return { what: "null, or CASE without ELSE", why: `${withoutNull} Write 0.` };
  if (type === "VARCHAR") {
    return textOf(value, "value").includes("\\")
      ? { what: "a text with a backslash", why: "Spark and ClickHouse read it as the start of an escape." }
      : undefined;
  }
  if (["INTEGER", "BIGINT", "BOOLEAN"].includes(type)) return undefined;
  const what = type === "DECIMAL" || type === "DOUBLE" ? "a number with a point" : `a value of type ${type}`;
  return { what, why: "ClickHouse reads it as a float. Write integers of up to 64 bits." };
}

function differenceOfPart(node: TreeNode, type: string): Difference | undefined {
  if (!portableParts.has(type)) return type.endsWith("_TYPE_INFO") ? undefined : { what: wordsOf(type), why: unknown };
  switch (type) {
    case "SELECT_NODE":
      return differenceOfSelect(node);
    case "SET_OPERATION_NODE":
      return node["setop_type"] === "UNION" && node["setop_all"] === true
        ? undefined
        : {
            what: `${textOf(node, "setop_type")} without ALL`,
            why: "ClickHouse keeps rows that are there twice. Write UNION ALL.",
          };
    case "JOIN":
      return isInnerJoin(node)
        ? undefined
        : { what: "a join that is not INNER or CROSS", why: `${withoutNull} Join with what has a row for each.` };
    case "DISTINCT_MODIFIER":
      return listOf(node, "distinct_on_targets").length === 0 ? undefined : { what: "DISTINCT ON", why: unknown };
  }
  return undefined;
}

function differenceOfSelect(node: TreeNode): Difference | undefined {
  if (isNode(node["qualify"])) return { what: "QUALIFY", why: "Filter the window in an outer SELECT." };
  if (node["aggregate_handling"] === "FORCE_AGGREGATES") return { what: "GROUP BY ALL", why: "Name the columns." };
  const isGrouped = listOf(node, "group_sets").length > 1;
  if (isGrouped) return { what: "GROUPING SETS, ROLLUP or CUBE", why: withoutNull };
  if (listOf(node, "group_expressions").length > 0) return undefined;
  const nullable = listOf(node, "select_list").find(
    (item) => nullableAggregates.has(textOf(item, "function_name")) && textOf(item, "class") === "FUNCTION",
  );
  if (nullable === undefined) return undefined;
  return { what: `${textOf(nullable, "function_name")}() without GROUP BY`, why: withoutNull };
}

/** The name of a kind of node, as people read it. */
function wordsOf(type: string): string {
  return type
    .replace(/^OPERATOR_|_NODE$|_MODIFIER$/g, "")
    .toLowerCase()
    .replaceAll("_", " ");
}
