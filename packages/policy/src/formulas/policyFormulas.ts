import type { PolicyFormulas } from "@vipscore/core/manifest";
import type { Policy } from "../policy.ts";
import { isInnerJoin, isNode, listOf, parseSql, textOf, walkTree, type TreeNode } from "../run/syntaxTree.ts";
import { windowSourceName } from "../sources/openSources.ts";
import { isOfChain, type SourceDefinition } from "../sources/sourceDefinition.ts";
import { escapeLatex, latexOf, symbolOf, Untranslated } from "./latex.ts";

/** Describes a policy: its digests, variables and constants, and its query as formulas as far as they are known to mean the same. */
export async function policyFormulas({ digest, files, sources, sql }: Policy): Promise<PolicyFormulas> {
  const tree = await parseSql(sql);
  const nodes = [...walkTree(tree)];
  const parts = nodes.filter(({ type }) => type === undefined).flatMap((node) => withsOf(node));
  const [statement] = listOf(tree, "statements");
  const root = isNode(statement) && isNode(statement["node"]) ? statement["node"] : {};
  const selects = [...parts, { name: "score", columns: [], node: root }];
  return {
    digest,
    files: Array.from(files, ([name, { sha256 }]) => [name, sha256]),
    variables: variablesOf(sources, nodes),
    constants: [...parts.flatMap(({ columns, node }) => valuesOf(node, columns)), ...numbersOf(nodes)],
    formulas: selects.flatMap((part) => formulaOf(part)),
    sql,
  };
}

/** Units that follow from a column's name, wherever it is from. */
const units: Readonly<Record<string, string>> = {
  height: "height of a block",
  since: "height of a block",
  time: "seconds, Unix time",
  blocks: "blocks",
  gas_used: "gas",
};

function variablesOf(sources: readonly SourceDefinition[], nodes: readonly TreeNode[]): PolicyFormulas["variables"] {
  const tables = new Set(nodes.map((node) => textOf(node, "table_name").toLowerCase()));
  const texts = nodes.flatMap((node) => ["column_names", "using_columns"].flatMap((field) => listOf(node, field)));
  const names = new Set(texts.map((name) => String(name).toLowerCase()));
  const ends = ["first_height", "last_height", "first_time", "last_time"];
  const columns = ends.map((name) => ({ name, type: "integer" }) as const);
  return [...sources, { name: windowSourceName, kind: "the stage's blocks", settings: {}, needs: [], columns }]
    .filter(({ name }) => tables.has(name))
    .flatMap((source) =>
      source.columns
        .filter(({ name }) => names.has(name))
        .map(({ name, type }) => ({
          name: `${source.name}.${name}`,
          source: originOf(source),
          unit: type === "integer" ? units[name.replace(/^(?:first|last)_/, "")] : type,
        })),
    );
}

/** The kind of a source, and what it selects. */
function originOf(source: Omit<SourceDefinition, "open">): string {
  const { kind, settings } = source;
  const selects = isOfChain(source)
    ? ["event", "type", "contracts", "collections", "token", "denom", "where"]
    : ["file", "url"];
  const parts = selects.flatMap((name) => (settings[name] === undefined ? [] : [settings[name]].flat()));
  return [kind, ...parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part)))].join(", ");
}

interface QueryPart {
  readonly name: string;
  /** The names that WITH gives to its columns. */
  readonly columns: readonly string[];
  readonly node: TreeNode;
}

function withsOf({ key, value }: TreeNode): readonly QueryPart[] {
  const query = isNode(value) && isNode(value["query"]) ? value["query"]["node"] : undefined;
  if (!isNode(value) || !isNode(query)) return [];
  return [{ name: String(key), columns: listOf(value, "aliases").map(String), node: query }];
}

function valuesOf({ from_table: from }: TreeNode, columns: readonly string[]): PolicyFormulas["constants"] {
  return listOf(from, "values").flatMap((row) => {
    const texts = Array.isArray(row) ? row.map(constantText) : [];
    return texts.includes("") ? [] : [{ value: texts.join(", "), meaning: columns.join(", ") || undefined }];
  });
}

function numbersOf(nodes: readonly TreeNode[]): PolicyFormulas["constants"] {
  const listed = new Set(nodes.flatMap((node) => listOf(node, "values").flat()));
  const values = nodes.flatMap((node) => (listed.has(node) ? [] : [constantText(node)]));
  return [...new Set(values)]
    .filter((text) => /^-?\d/.test(text) && text !== "0")
    .map((value) => ({ value, meaning: undefined }));
}

/** A constant as the query has it; empty for what is not one, or too long. */
function constantText(node: unknown): string {
  if (!isNode(node) || node["class"] !== "CONSTANT") return "";
  try {
    return textOf(node["value"], "value") || latexOf(node);
  } catch {
    return "";
  }
}

function formulaOf({ name, columns, node }: QueryPart): PolicyFormulas["formulas"] {
  try {
    const table = name === "score" ? undefined : name;
    const latex = branchesOf(node).flatMap((select) => selectLatex(select, table, columns));
    return latex.length === 0 ? [] : [{ name, latex }];
  } catch (error) {
    if (!(error instanceof Untranslated)) throw error;
    return [{ name, lacks: error.message }];
  }
}

function branchesOf(node: TreeNode): readonly TreeNode[] {
  if (node["type"] === "SELECT_NODE") return [node];
  const isUnion =
    node["setop_type"] === "UNION" && node["setop_all"] === true && listOf(node, "modifiers").length === 0;
  if (!isUnion) throw new Untranslated("a set of rows other than UNION ALL");
  return [...listOf(node, "children"), node["left"], node["right"]].filter(isNode).flatMap(branchesOf);
}

/** One SELECT as a block of LaTeX; of VALUES, which are constants, none. */
function selectLatex(select: TreeNode, table: string | undefined, columns: readonly string[]): readonly string[] {
  const { from_table: from, where_clause: where, having, qualify, sample } = select;
  if (
    isNode(from) &&
    from["type"] === "EXPRESSION_LIST" &&
    valuesOf(select, columns).length === listOf(from, "values").length
  )
    return [];
  const [items, groups] = [listOf(select, "select_list").filter(isNode), listOf(select, "group_expressions")];
  const nested = [...walkTree({ items, groups, where, having })].map((node) => textOf(node, "type"));
  const isOther =
    [qualify, sample].some(isNode) ||
    nested.includes("SELECT_NODE") ||
    listOf(select, "modifiers").length > 0 ||
    listOf(select, "group_sets").length > 1 ||
    select["aggregate_handling"] !== "STANDARD_HANDLING" ||
    // The number of a column.
    groups.some((group) => isNode(group) && group["class"] === "CONSTANT") ||
    // A name that HAVING may take for the result or for the column.
    [...refsOf(having)].some(
      (name) => items.some((item) => textOf(item, "alias") === name) && refsOf([items, groups]).has(name),
    );
  if (isOther) throw new Untranslated("more than plain WHERE, GROUP BY and HAVING");
  const joined = joinOf(from);
  const isSum = [...walkTree({ items })].some((node) => /^(?:sum|count_star)$/i.test(textOf(node, "function_name")));
  const clause = (words: string, parts: readonly string[], sign: string): readonly string[] =>
    parts.length === 0 ? [] : [String.raw`\text{${words}} &\ ${parts.join(sign)}`];
  const rowsWord = isSum ? "over all rows of" : "for each row of";
  const tests = [...joined.conditions, where].filter(isNode).map((test) => latexOf(test, 2));
  const lines = [
    ...items.map((item, index) => `${symbolOf([columns[index] ?? nameOf(item)], table)} &= ${latexOf(item)}`),
    ...clause(
      "for each",
      groups.map((group) => latexOf(group)),
      String.raw`,\ `,
    ),
    ...clause(groups.length > 0 ? "in" : rowsWord, joined.tables, String.raw` \times `),
    ...clause("with the same", joined.shared, String.raw`,\ `),
    ...clause("where", tests, String.raw` \land `),
    ...clause(
      "only if",
      [having].filter(isNode).map((test) => latexOf(test)),
      "",
    ),
  ];
  return [["\\begin{aligned}", lines.join(" \\\\\n"), "\\end{aligned}"].join("\n")];
}

/** The names that stand alone in a part of a query. */
function refsOf(part: unknown): ReadonlySet<string> {
  return new Set([...walkTree({ part })].flatMap((node) => listOf(node, "column_names").slice(-1).map(String)));
}

function nameOf(item: TreeNode): string {
  const name = textOf(item, "alias") || [...refsOf(item["class"] === "COLUMN_REF" ? item : undefined)].join("");
  if (name === "") throw new Untranslated("a value without a name");
  return name;
}

/** What FROM has: tables, the names of columns that join them, and conditions. */
interface Joined {
  readonly tables: readonly string[];
  readonly shared: readonly string[];
  readonly conditions: readonly unknown[];
}

function joinOf(from: unknown): Joined {
  const nothing: Joined = { tables: [], shared: [], conditions: [] };
  if (!isNode(from) || from["type"] === "EMPTY") return nothing;
  if (from["type"] === "BASE_TABLE" && listOf(from, "column_name_alias").length === 0 && !isNode(from["sample"])) {
    const [name, alias] = [textOf(from, "table_name"), textOf(from, "alias")].map(escapeLatex);
    const shown = String.raw`\mathrm{${name}}`;
    return { ...nothing, tables: [alias === "" ? shown : String.raw`${shown}\text{ as }\mathrm{${alias}}`] };
  }
  if (from["type"] !== "JOIN" || !isInnerJoin(from))
    throw new Untranslated("a join other than INNER, or a SELECT in FROM");
  const [left, right] = [joinOf(from["left"]), joinOf(from["right"])];
  const names = listOf(from, "using_columns").map((name) => symbolOf([String(name)]));
  return {
    tables: [...left.tables, ...right.tables],
    shared: [...left.shared, ...right.shared, ...names],
    conditions: [...left.conditions, ...right.conditions, from["condition"]],
  };
}
