import { orderedAggregates, orderedWindows } from "./allowedFunctions.ts";
import { isNode, textOf, type TreeNode } from "./syntaxTree.ts";

/** `free`: the order of the rows makes no difference. `ordered`: none if the query's ORDER BY has a unique key. */
export type OrderUse = "free" | "ordered" | { readonly what: string; readonly instead: string };

const uniqueKey = "Add ORDER BY with a unique key, such as height, tx_index, event_index";

/** Functions that sort a list, so that the order of its values before makes no difference. */
const sorts: ReadonlySet<string> = new Set(["array_reverse_sort", "array_sort", "list_reverse_sort", "list_sort"]);

/** Returns the aggregate that a node sorts: DuckDB parses `list(x order by x)` as `list_sort(list(x))`. */
export function sortedBy(node: TreeNode): unknown {
  const { children } = node;
  return sorts.has(textOf(node, "function_name").toLowerCase()) && Array.isArray(children) ? children[0] : undefined;
}

/** Finds out whether the value of one node of a syntax tree depends on the order in which the rows come. */
export function orderUseOf(node: TreeNode): OrderUse {
  return limitUse(node) ?? joinUse(node) ?? windowUse(node) ?? aggregateUse(node) ?? "free";
}

function limitUse({ modifiers }: TreeNode): OrderUse | undefined {
  if (!Array.isArray(modifiers)) return undefined;
  const isOrdered = modifiers.some((modifier) => hasOrders(modifier));
  for (const modifier of modifiers.filter(isNode)) {
    const type = textOf(modifier, "type");
    const isOn = type === "DISTINCT_MODIFIER" && lengthOf(modifier["distinct_on_targets"]) > 0;
    if (!isOn && !type.startsWith("LIMIT_")) continue;
    const what = `${isOn ? "DISTINCT ON" : "LIMIT or OFFSET"} without ORDER BY`;
    return isOrdered ? "ordered" : { what, instead: `${uniqueKey}.` };
  }
  return undefined;
}

function joinUse(node: TreeNode): OrderUse | undefined {
  if (lengthOf(node["key_targets"]) > 0) {
    return { what: "a recursion USING KEY", instead: "Write a recursion with UNION ALL, and group its rows." };
  }
  if (node["ref_type"] === "POSITIONAL") {
    return { what: "a POSITIONAL JOIN", instead: "Join the rows by a key of both." };
  }
  return node["ref_type"] === "ASOF" ? "ordered" : undefined;
}

function windowUse(node: TreeNode): OrderUse | undefined {
  if (node["class"] !== "WINDOW") return undefined;
  const name = textOf(node, "function_name").toLowerCase();
  const countsRows = ["start", "end"].some((side) => textOf(node, side).endsWith("_ROWS"));
  if (!countsRows && !orderedWindows.has(name) && !orderedAggregates.has(name)) return undefined;
  if (lengthOf(node["orders"]) + lengthOf(node["arg_orders"]) > 0) return "ordered";
  return { what: `the window ${name}() without ORDER BY`, instead: `${uniqueKey}, inside of over (…).` };
}

function aggregateUse(node: TreeNode): OrderUse | undefined {
  const name = textOf(node, "function_name").toLowerCase();
  if (node["class"] !== "FUNCTION" || !orderedAggregates.has(name)) return undefined;
  if (hasOrders(node["order_bys"])) return "ordered";
  return {
    what: `${name}() without ORDER BY`,
    instead: `${uniqueKey}, as in ${name}(x order by height), or write max(x).`,
  };
}

function hasOrders(modifier: unknown): boolean {
  return isNode(modifier) && modifier["type"] === "ORDER_MODIFIER" && lengthOf(modifier["orders"]) > 0;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
