import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteText } from "@vipscore/core/errors";
import { policyInvalid, policyRefused } from "../policyError.ts";
import { isSystemName } from "../sources/policySource.ts";
import { parseSelect, textOf, walkTree, type TreeNode } from "./syntaxTree.ts";

/** The table functions that only compute. All others read files, settings or other queries. */
const tableFunctions: ReadonlySet<string> = new Set(["range", "generate_series", "unnest"]);

/** Functions whose values change although DuckDB calls them consistent, or that depend on the machine. */
const changingFunctions: ReadonlySet<string> = new Set([
  "current_localtime",
  "current_localtimestamp",
  "current_setting",
  "getvariable",
  "version",
]);

/** Aggregates that estimate, by random numbers or by the order in which threads hand in rows. */
const estimates = /^(?:approx_|reservoir_quantile$)/;

/** Words of SQL that are the time, although they look like columns. */
const timeWords: ReadonlySet<string> = new Set([
  "current_date",
  "current_time",
  "current_timestamp",
  "localtime",
  "localtimestamp",
]);

/**
 * Checks that a query is one SELECT over the sources alone, without functions whose value is another one at the next run.
 *
 * @param sources The names of the tables that it may read.
 * @throws InputError `POLICY_REFUSED` with what is not allowed and its line; `POLICY_INVALID` if it is not SQL.
 */
export async function checkQuery(connection: DuckDBConnection, sql: string, sources: readonly string[]): Promise<void> {
  const statements = await connection.extractStatements(sql).catch((cause: unknown) => {
    const details = cause instanceof Error ? cause.message : String(cause);
    // For a text of comments alone, the binding fails with this instead of DuckDB's message.
    if (details === "Error in native callback") return undefined;
    throw policyInvalid("policy.sql", "is not SQL", { details, cause });
  });
  const count = statements?.count ?? 0;
  if (count !== 1) {
    throw policyRefused(
      `policy.sql has ${count === 0 ? "no statement" : `${count} statements`}; write exactly one SELECT`,
    );
  }
  const tree = await parseSelect(connection, sql);
  if (tree === undefined) {
    throw policyRefused("policy.sql is not a SELECT; a policy is exactly one SELECT over its sources");
  }
  const functions = await readFunctions(connection);
  const problem = await findProblem(connection, functions, tree, new Set(sources), new Set());
  if (problem === undefined) return;
  const line = lineAt(sql, problem.location);
  throw policyRefused(`policy.sql${line === undefined ? "" : `:${line}`} uses ${problem.what}`, {
    metaMessages: [problem.why],
  });
}

interface Problem {
  readonly what: string;
  readonly why: string;
  readonly location: unknown;
}

const notTheSame = "Scores have to be the same at every run, on every machine.";
const sourcesOnly = "A policy reads its sources alone; add a [[source]] to policy.toml.";

/** `seen` has the macros that are being looked into. */
async function findProblem(
  connection: DuckDBConnection,
  functions: KnownFunctions,
  tree: TreeNode,
  sources: ReadonlySet<string>,
  seen: Set<string>,
): Promise<Problem | undefined> {
  const nodes = [...walkTree(tree)];
  const named = new Set(nodes.flatMap((node) => namesOfCtes(node)));
  for (const node of nodes) {
    const problem =
      sampleProblem(node) ??
      tableProblem(node, sources, named) ??
      wordProblem(node) ??
      (await functionProblem(connection, functions, node, seen));
    if (problem !== undefined) return { location: node["query_location"], ...problem };
  }
  return undefined;
}

/** The names that a WITH gives. A name that is also DuckDB's own would hide a read of that. */
function namesOfCtes(node: TreeNode): readonly string[] {
  const entries = node["map"];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) => {
    const name = textOf(entry, "key").toLowerCase();
    return name === "" || isSystemName(name) ? [] : [name];
  });
}

function sampleProblem(node: TreeNode): Omit<Problem, "location"> | undefined {
  const sample = node["sample"];
  return sample === null || sample === undefined ? undefined : { what: "a random sample", why: notTheSame };
}

function tableProblem(
  node: TreeNode,
  sources: ReadonlySet<string>,
  named: ReadonlySet<string>,
): Omit<Problem, "location"> | undefined {
  if (node["type"] === "SHOW_REF") return { what: "DESCRIBE, SHOW or SUMMARIZE", why: sourcesOnly };
  if (node["type"] === "TABLE_FUNCTION") {
    const name = textOf(node["function"], "function_name").toLowerCase();
    return tableFunctions.has(name) ? undefined : { what: `the table function ${quoteText(name)}`, why: sourcesOnly };
  }
  if (node["type"] !== "BASE_TABLE") return undefined;
  const name = textOf(node, "table_name").toLowerCase();
  const schema = [textOf(node, "catalog_name"), textOf(node, "schema_name")].filter((part) => part !== "");
  if (schema.length === 0 && (sources.has(name) || named.has(name))) return undefined;
  return { what: `the table ${quoteText([...schema, name].join("."))}, which is not a source`, why: sourcesOnly };
}

function wordProblem(node: TreeNode): Omit<Problem, "location"> | undefined {
  const names = node["column_names"];
  const [name, ...more]: readonly unknown[] = node["class"] === "COLUMN_REF" && Array.isArray(names) ? names : [];
  if (typeof name !== "string" || more.length > 0 || !timeWords.has(name.toLowerCase())) return undefined;
  return { what: name.toLowerCase(), why: notTheSame };
}

async function functionProblem(
  connection: DuckDBConnection,
  functions: KnownFunctions,
  node: TreeNode,
  seen: Set<string>,
): Promise<Omit<Problem, "location"> | undefined> {
  if (node["class"] !== "FUNCTION" && node["class"] !== "WINDOW") return undefined;
  const name = textOf(node, "function_name").toLowerCase();
  const what = `the function ${quoteText(name)}`;
  const children = node["children"];
  // With one argument, age() counts from today.
  const isAgeOfToday = name === "age" && Array.isArray(children) && children.length < 2;
  if (functions.changing.has(name) || changingFunctions.has(name) || isAgeOfToday) return { what, why: notTheSame };
  if (estimates.test(name)) return { what: `${what}, which estimates`, why: notTheSame };
  if (seen.has(name)) return undefined;
  seen.add(name);
  for (const definition of functions.macros.get(name) ?? []) {
    const tree = await parseSelect(connection, `select ${definition}`);
    const problem =
      tree === undefined ? { what, why: sourcesOnly } : await findProblem(connection, functions, tree, new Set(), seen);
    if (problem !== undefined) return { what: `${what}, which uses ${problem.what}`, why: problem.why };
  }
  return undefined;
}

/** The line of a byte of the text, from 1. */
function lineAt(sql: string, location: unknown): number | undefined {
  const bytes = Buffer.from(sql);
  if (typeof location !== "number" || location > bytes.length) return undefined;
  return bytes.subarray(0, location).toString("latin1").split("\n").length;
}

/** DuckDB's information about its functions; names in lower case. */
export interface KnownFunctions {
  /** Functions with a form whose value may differ between two calls with the same arguments. */
  readonly changing: ReadonlySet<string>;
  /** The SQL of each form of a macro. */
  readonly macros: ReadonlyMap<string, readonly string[]>;
}

/** Reads what DuckDB says about its functions. */
async function readFunctions(connection: DuckDBConnection): Promise<KnownFunctions> {
  const reader = await connection.runAndReadAll(
    "select lower(function_name), stability, macro_definition from duckdb_functions() where stability <> 'CONSISTENT' or macro_definition is not null",
  );
  const changing = new Set<string>();
  const macros = new Map<string, readonly string[]>();
  for (const [name, , definition] of reader.getRows()) {
    const key = String(name);
    if (typeof definition === "string") macros.set(key, [...(macros.get(key) ?? []), definition]);
    else changing.add(key);
  }
  return { changing, macros };
}
