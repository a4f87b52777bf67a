import { quoteText } from "@vipscore/core/errors";
import { parseAccount } from "@vipscore/core/values";
import type { QueryTable } from "./queryJob.ts";
import { isNode, textOf, type TreeNode } from "./syntaxTree.ts";

/** A text of a query that is not the address or the hex that its author means, and what to write. */
interface TextProblem {
  readonly what: string;
  readonly why: string;
}

/** What the values of some columns look like. */
interface TextForm {
  /** True for an expression with such values, as far as names tell. */
  readonly isOf: (node: TreeNode) => boolean;
  readonly isStored: (text: string) => boolean;
  /** Says what is wrong with a text that is not one. */
  readonly problemOf: (text: string) => TextProblem;
  /** A value, for messages; undefined if it has capitals. */
  readonly what: string | undefined;
  readonly why: string;
}

/**
 * Finds the texts of a query that stand for an account or bytes in another spelling than the sources have, and those that are compared
 * with addresses, selectors, hashes or bytes without being one. SQL compares texts, so neither would ever match: an exclusion would
 * exclude nobody (createXcrunch PR 12).
 *
 * Columns are known by their names, also by those that the query gives them.
 *
 * @param nodes All nodes of the syntax tree.
 * @returns The nodes of the texts, with what is wrong.
 */
export function findTextProblems(
  nodes: readonly TreeNode[],
  tables: readonly Pick<QueryTable, "addresses" | "texts" | "patterns">[],
): ReadonlyMap<TreeNode, TextProblem> {
  const texts = new Set(tables.flatMap((table) => table.texts));
  const namedAddress = new Set(tables.flatMap((table) => table.addresses));
  const isAddress = columnFinder(nodes, new Set(namedAddress), new Set(texts));
  /** Names that the query gives, perhaps to what it made of a column. */
  const given = new Set(nodes.flatMap(namesIn).map(({ name }) => name));
  const forms: readonly TextForm[] = [
    { isOf: isAddress, isStored, problemOf: notAnAddress, what: "an address", why: stored },
    ...hexForms(nodes, tables),
  ];
  const problems = new Map<TreeNode, TextProblem>();
  for (const node of nodes) {
    const compared = comparedIn(node);
    const plain = compared.map(withoutCast);
    const areAddresses = compared.some(isAddress);
    const areTexts = !areAddresses && compared.some((other) => texts.has(columnOf(other)));
    for (const part of plain) {
      if (areTexts && isBech32(literalOf(part) ?? "")) problems.set(part, asItIs);
      const column = columnOf(part);
      if (areAddresses && texts.has(column) && !namedAddress.has(column) && !given.has(column))
        problems.set(part, { what: `the text ${quoteText(column)} as an address`, why: asAddress });
    }
    const [where, sought] = searchedIn(node);
    const part = sought && literalOf(withoutCast(sought));
    // In a pattern, other capitals stand for kinds of characters.
    const capitals = nameOf(node).startsWith("regexp") ? /0x[\da-fA-F]*[A-F]/ : /[A-Z]/;
    for (const { isOf, isStored: isRight, problemOf, what, why } of forms) {
      for (const value of compared.some(isOf) ? plain : []) {
        const text = literalOf(value);
        if (text !== undefined && !isRight(text)) problems.set(value, problemOf(text));
        if (bytesFunctions.has(nameOf(value)))
          problems.set(value, { what: `${nameOf(value)}() in place of a text`, why });
        const isUpper = what !== undefined && /^(?:upper|ucase)$/.test(nameOf(value));
        if (isUpper && compared.some((other) => literalOf(other) !== undefined))
          problems.set(value, { what: `${what} in capitals`, why });
      }
      if (where !== undefined && part !== undefined && what !== undefined && isOf(where) && capitals.test(part))
        problems.set(node, { what: `${quoteText(part)} as a part of ${what}`, why });
    }
  }
  for (const node of nodes) {
    const text = literalOf(node);
    if (text === undefined || problems.has(node)) continue;
    const spelling = storedSpelling(text);
    if (spelling !== undefined && spelling !== text)
      problems.set(node, { what: `the account ${quoteText(text)}`, why: `${stored} Write '${spelling}'.` });
    // In a list or VALUES, it is not known what it is compared with.
    else if (/^0x.*[A-F]/i.test(text) && text !== text.toLowerCase()) {
      const form = forms.find(({ what, isStored: isRight }) => what !== undefined && isRight(text.toLowerCase()));
      if (form !== undefined) problems.set(node, form.problemOf(text));
    }
  }
  return new Map([...problems].filter(([, problem]) => problem !== asItIs));
}

/** The forms of the columns that have hex. */
function hexForms(
  nodes: readonly TreeNode[],
  tables: readonly Pick<QueryTable, "addresses" | "texts" | "patterns">[],
): readonly TextForm[] {
  const columns = tables.flatMap(({ patterns }) => Object.entries(patterns));
  return [...new Set(columns.map(([, pattern]) => pattern))].map((pattern) => {
    const [names, patterned] = [true, false].map(
      (isOwn) => new Set(columns.flatMap(([name, other]) => ((other === pattern) === isOwn ? [name] : []))),
    );
    const [, digits = "any even number of"] = /\{(\d+)\}\)?\??\$$/.exec(pattern) ?? [];
    const isLower = !pattern.includes("A-F");
    const form = isLower ? `0x and ${digits} lower-case hex digits` : `${digits} upper-case hex digits`;
    const why = `Sources have ${[...(names ?? [])].join(", ")} as ${form}.`;
    const isRight = (text: string): boolean => new RegExp(pattern).test(text);
    const others = [...(patterned ?? []), ...tables.flatMap(({ addresses, texts }) => [...addresses, ...texts])];
    return {
      isOf: columnFinder(nodes, new Set(names), new Set(others)),
      isStored: isRight,
      problemOf: (text) => {
        const spelling = [text.trim().toLowerCase(), text.trim().replace(/^0x/i, "").toUpperCase()].find(isRight);
        return { what: `${quoteText(text)} as hex`, why: spelling === undefined ? why : `${why} Write '${spelling}'.` };
      },
      what: isLower ? "hex" : undefined,
      why,
    };
  });
}

const stored = "Sources have addresses as 0x and 40 or 64 lower-case hex digits.";

const asAddress =
  'A text may be spelled otherwise. Declare the column as address, as in columns = { name = "address" }.';

/** A column of text may have accounts in bech32, as events do. */
const asItIs: TextProblem = { what: "", why: "" };

/** Functions whose value is bytes, which no text is equal to. */
const bytesFunctions: ReadonlySet<string> = new Set(["from_hex", "unhex", "from_base64", "encode"]);

/** Functions that look for a text in another one, and those whose value is a part of a text. */
const searches: ReadonlySet<string> = new Set(
  "~~ !~~ ~~~ ^@ starts_with prefix ends_with suffix contains instr strpos position regexp_matches regexp_full_match".split(
    " ",
  ),
);
const partFunctions: ReadonlySet<string> = new Set("left right substr substring".split(" "));

/** Functions with a list and a value that may be in it. */
const listFunctions: ReadonlySet<string> = new Set([
  "contains",
  "list_contains",
  "list_has",
  "array_contains",
  "array_has",
]);

/** Functions whose value is one of the addresses that they are given first. */
const keepingFunctions: ReadonlySet<string> = new Set(
  "lower upper trim min max first last any_value arbitrary mode arg_max arg_min lag lead first_value last_value".split(
    " ",
  ),
);

/** The expressions that a node compares for equality, with one another. */
function comparedIn(node: TreeNode): readonly TreeNode[] {
  const { class: ofClass, type, left, right } = node;
  const children = nodesOf(node["children"]);
  if (ofClass === "COMPARISON")
    return /EQUAL$|DISTINCT/.test(String(type)) && !/THAN/.test(String(type)) ? nodesOf([left, right]) : [];
  if (ofClass === "OPERATOR") return /^COMPARE_(?:NOT_)?IN$/.test(String(type)) ? children : [];
  if (ofClass === "SUBQUERY" && isNode(node["child"])) return [node["child"], ...valuesOf(node["subquery"])];
  if (!listFunctions.has(nameOf(node)) || children.length !== 2) return [];
  return nodesOf([children[1], ...nodesOf(children[0]?.["children"])]);
}

/** The text in which a node looks for a part, and the part. */
function searchedIn(node: TreeNode): readonly TreeNode[] {
  if (searches.has(nameOf(node))) return nodesOf(node["children"]);
  const [one, other] = comparedIn(node);
  const [part, text] = isPart(one) ? [one, other] : [other, one];
  const [whole] = isPart(part) ? nodesOf(part?.["children"]) : [];
  return whole === undefined || text === undefined ? [] : [whole, text];
}

function isPart(node: TreeNode | undefined): boolean {
  return node !== undefined && (partFunctions.has(nameOf(node)) || node["type"] === "ARRAY_SLICE");
}

/** The expressions of VALUES, or of the list of ANY, that a subquery consists of. */
function valuesOf(subquery: unknown): readonly TreeNode[] {
  const select = isNode(subquery) ? subquery["node"] : undefined;
  if (!isNode(select)) return [];
  const rows = isNode(select["from_table"]) ? select["from_table"]["values"] : undefined;
  if (Array.isArray(rows)) return rows.flatMap((row: unknown) => nodesOf(row).slice(0, 1));
  return nodesOf(select["select_list"]).flatMap((item) => {
    const [list] = nameOf(item) === "unnest" ? nodesOf(item["children"]) : [];
    return list === undefined ? [item] : nodesOf(list["children"]);
  });
}

/**
 * Returns whether an expression is one of some columns, as far as names tell.
 *
 * @param names The columns; those that the query gives to such expressions are added.
 * @param others The names of other columns: a name that stands for something else too is not known.
 */
function columnFinder(
  nodes: readonly TreeNode[],
  names: Set<string>,
  others: Set<string>,
): (node: TreeNode) => boolean {
  const isOne = (node: TreeNode): boolean => {
    if (node["class"] === "COLUMN_REF") return names.has(columnOf(node));
    if (node["class"] === "CAST") return isNode(node["child"]) && isOne(node["child"]);
    const [first] = keepingFunctions.has(nameOf(node)) ? nodesOf(node["children"]) : [];
    return first !== undefined && isOne(first);
  };
  const named = nodes.flatMap(namesIn);
  for (let size = -1; size !== names.size;) {
    ({ size } = names);
    for (const { name, node } of named) if (isOne(node) && !others.has(name)) names.add(name);
  }
  // The names of the result are read by nobody.
  const results = new Set(nodesOf(nodes.find(({ type }) => type === "SELECT_NODE")?.["select_list"]));
  for (const { name, node } of named) {
    if (!isOne(node) && columnOf(node) !== name && !results.has(node)) others.add(name);
  }
  for (const name of others) names.delete(name);
  return isOne;
}

/** The names that a query gives to expressions: by AS, or in a list after the name of a WITH or of a subquery. */
function namesIn(node: TreeNode): readonly { readonly name: string; readonly node: TreeNode }[] {
  const entries = isNode(node["value"]) ? node["value"] : node;
  const query = entries["query"] ?? entries["subquery"];
  const select = isNode(query) ? query["node"] : undefined;
  const list = entries["aliases"] ?? entries["column_name_alias"];
  const positions: readonly unknown[] = Array.isArray(list) ? list : [];
  const items = isNode(select) ? nodesOf(select["select_list"]) : [];
  const byPlace = items.flatMap((item, index) => {
    const name = positions[index];
    return typeof name === "string" ? [{ name: name.toLowerCase(), node: item }] : [];
  });
  const alias = textOf(node, "alias").toLowerCase();
  return alias === "" || node["class"] === undefined ? byPlace : [...byPlace, { name: alias, node }];
}

/** The name of a column, in lower case, without that of its table; empty for anything else. */
function columnOf(node: TreeNode): string {
  const names: unknown = node["class"] === "COLUMN_REF" ? node["column_names"] : undefined;
  const name: unknown = Array.isArray(names) ? names.at(-1) : undefined;
  return typeof name === "string" ? name.toLowerCase() : "";
}

function nameOf(node: TreeNode): string {
  return textOf(node, "function_name").toLowerCase();
}

/** The text of a literal; undefined for anything else. */
function literalOf(node: TreeNode): string | undefined {
  const value = node["class"] === "CONSTANT" ? node["value"] : undefined;
  if (!isNode(value) || textOf(value["type"], "id") !== "VARCHAR") return undefined;
  return typeof value["value"] === "string" ? value["value"] : undefined;
}

function withoutCast(node: TreeNode): TreeNode {
  return node["class"] === "CAST" && isNode(node["child"]) ? node["child"] : node;
}

function nodesOf(value: unknown): readonly TreeNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** True for an address as sources have it: 32 bytes do not begin with 12 zero bytes. */
function isStored(text: string): boolean {
  return /^0x[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text) && !/^0x0{24}.{40}$/.test(text);
}

function notAnAddress(text: string): TextProblem {
  const what = `${quoteText(text)} as an address`;
  const [, digits] = /^(?:0x)?([0-9a-f]{40}|[0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  const spelling = digits === undefined ? storedSpelling(text) : fullAddress(digits);
  if (spelling !== undefined) return { what, why: `${stored} Write '${spelling}'.` };
  const [, short] = /^0x([0-9a-f]{1,63})$/i.exec(text.trim()) ?? [];
  // A digit may be missing instead.
  return {
    what,
    why: short === undefined ? stored : `${stored} With Move's leading zeros it is '${fullAddress(short)}'.`,
  };
}

/** An address of these digits: 20 bytes, or 32 if the first 12 are not all zero. */
function fullAddress(digits: string): string {
  const full = digits.toLowerCase().padStart(64, "0");
  return `0x${full.startsWith("0".repeat(24)) ? full.slice(24) : full}`;
}

function isBech32(text: string): boolean {
  return text.startsWith("init1") && storedSpelling(text) !== undefined;
}

/** The spelling that sources have of an account; undefined for a text that does not read as one. */
export function storedSpelling(text: string): string | undefined {
  const lower = text.trim().toLowerCase();
  if (/^0x[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(lower)) return lower;
  if (!/^init1[0-9a-z]{38,58}$/.test(lower)) return undefined;
  try {
    return parseAccount(lower, { accountBytes: [20, 32] });
  } catch {
    return undefined;
  }
}
