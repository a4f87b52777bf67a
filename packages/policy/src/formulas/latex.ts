import { isNode, listOf, textOf, type TreeNode } from "../run/syntaxTree.ts";

/** A part of a query has no formula; the message names it, for people. */
export class Untranslated extends Error {}

/** How an infix operator is written, how closely it binds, and how closely its first and its other operands must. */
type Infix = readonly [sign: string, own: number, first: number, others: number];

/** By function name or type. A part that binds less closely than its place needs gets parentheses: sums 5, factors 8, atoms 9. */
const infix: Readonly<Record<string, Infix>> = {
  CONJUNCTION_OR: [String.raw`\lor`, 1, 1, 1],
  CONJUNCTION_AND: [String.raw`\land`, 2, 2, 2],
  COMPARE_EQUAL: ["=", 4, 5, 5],
  COMPARE_NOTEQUAL: [String.raw`\ne`, 4, 5, 5],
  COMPARE_LESSTHAN: ["<", 4, 5, 5],
  COMPARE_LESSTHANOREQUALTO: [String.raw`\le`, 4, 5, 5],
  COMPARE_GREATERTHAN: [">", 4, 5, 5],
  COMPARE_GREATERTHANOREQUALTO: [String.raw`\ge`, 4, 5, 5],
  COMPARE_BETWEEN: [String.raw`\le`, 4, 5, 5],
  "+ 2": ["+", 6, 6, 7],
  "- 2": ["-", 6, 6, 7],
  "* 2": [String.raw`\cdot`, 7, 7, 8],
  "% 2": [String.raw`\bmod`, 5, 8, 8],
};

/**
 * Translates an expression of a syntax tree into LaTeX, with names as the query has them.
 *
 * @param least How closely the result has to bind.
 * @throws Untranslated for a part that is not among sums, products, quotients, `least`, `greatest`, `case` and conditions.
 */
export function latexOf(node: unknown, least = 0): string {
  const [text, own] = formulaOf(isNode(node) ? node : {});
  return own < least ? String.raw`\left(${text}\right)` : text;
}

/** Returns a name as a variable, `\mathit{total\_score}`, perhaps with its table as index. */
export function symbolOf(names: readonly string[], table?: string): string {
  const index = table === undefined ? "" : String.raw`_{\mathrm{${escapeLatex(table)}}}`;
  return String.raw`\mathit{${escapeLatex(names.join("."))}}${index}`;
}

export function escapeLatex(text: string): string {
  const words: Readonly<Record<string, string>> = { "\\": "backslash", "~": "asciitilde", "^": "asciicircum" };
  return text
    .replaceAll(/\s/g, " ")
    .replaceAll(/[\\~^{}$&#_%]/g, (mark) => (words[mark] === undefined ? `\\${mark}` : `\\text${words[mark]}{}`));
}

/** A formula, and how closely its outermost operator binds. */
type Formula = readonly [text: string, own: number];

function formulaOf(node: TreeNode): Formula {
  const type = textOf(node, "type");
  const operands = [node["lower"], node["left"], node["input"], node["right"], node["upper"]].filter(isNode);
  const children = [...listOf(node, "children"), ...operands];
  const all = children.map((child) => latexOf(child)).join(", ");
  const name = type === "FUNCTION" ? functionOf(node, children.length) : type;
  const operator = infix[name];
  if (operator !== undefined) {
    const [sign, own, first, others] = operator;
    return [children.map((child, index) => latexOf(child, index === 0 ? first : others)).join(` ${sign} `), own];
  }
  const [one, ...more] = children;
  const [child, target] = [node["child"], textOf(node["cast_type"], "id")];
  switch (name) {
    case "COLUMN_REF":
      return [symbolOf(listOf(node, "column_names").map(String)), 9];
    case "VALUE_CONSTANT":
      return constantOf(node["value"]);
    case "sum 1":
      return [String.raw`\sum ${latexOf(one, 7)}`, 5];
    case "count_star 0":
      return [String.raw`\sum 1`, 5];
    case "- 1":
      return [`-${latexOf(one, 8)}`, 6];
    case "// 2":
      return [String.raw`\left\lfloor \frac{${latexOf(one)}}{${latexOf(more[0])}} \right\rfloor`, 9];
    case "least":
      return [String.raw`\min\left(${all}\right)`, 9];
    case "greatest":
      return [String.raw`\max\left(${all}\right)`, 9];
    case "floor 1":
      return [String.raw`\operatorname{floor}\left(${all}\right)`, 9];
    case "OPERATOR_NOT":
      return [String.raw`\lnot ${latexOf(one, 9)}`, 4];
    case "COMPARE_IN":
    case "COMPARE_NOT_IN":
      return [
        String.raw`${latexOf(one, 5)} ${name === "COMPARE_IN" ? "" : String.raw`\not`}\in \{${more.map((item) => latexOf(item)).join(", ")}\}`,
        4,
      ];
    case "CASE_EXPR": {
      const cases = listOf(node, "case_checks").filter(isNode);
      const rows = cases.map(
        (row) => String.raw`${latexOf(row["then_expr"])} & \text{if } ${latexOf(row["when_expr"])}`,
      );
      const otherwise = String.raw`${latexOf(node["else_expr"])} & \text{otherwise}`;
      return [String.raw`\begin{cases} ${[...rows, otherwise].join(String.raw` \\ `)} \end{cases}`, 5];
    }
    case "OPERATOR_CAST":
      // Only casts that change no value: those of true and false, and of what floor() has made whole.
      if (!isNode(child) || node["try_cast"] === true) break;
      if (target === "BOOLEAN" && isNode(child["value"]))
        return [String.raw`\text{${textOf(child["value"], "value") === "t" ? "true" : "false"}}`, 9];
      if (/^U?(?:BIG|HUGE)INT$/.test(target) && textOf(child, "function_name") === "floor") return formulaOf(child);
  }
  throw new Untranslated(/^[A-Z]/.test(name) ? name.toLowerCase().replaceAll("_", " ") : name);
}

/** The name of a function, in which how many values it takes counts unless it takes any number; of a plain call alone. */
function functionOf(node: TreeNode, count: number): string {
  const name = textOf(node, "function_name").toLowerCase();
  const { filter, distinct, order_bys: orders } = node;
  if (isNode(filter) || distinct === true || listOf(orders, "orders").length > 0) return `${name}() of some rows`;
  return name === "least" || name === "greatest" ? name : `${name} ${count}`;
}

function constantOf(value: unknown): Formula {
  const { value: content, type, is_null: isNull } = isNode(value) ? value : {};
  if (isNull !== true && typeof content === "string") return [String.raw`\text{‘${escapeLatex(content)}’}`, 9];
  // JSON has lost the last digits of others.
  if (isNull === true || !Number.isSafeInteger(content))
    throw new Untranslated("a null, or a number of 16 digits or more");
  const info = isNode(type) ? type["type_info"] : undefined;
  const scale = isNode(info) ? Number(info["scale"]) : 0;
  const digits = `${Math.abs(Number(content))}`.padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return Number(content) < 0 ? [`-${text}`, 6] : [text, 9];
}
