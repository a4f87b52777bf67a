import { expect, test } from "vitest";
import type { PolicyFormulas } from "@vipscore/core/manifest";
import { latexOf } from "../src/formulas/latex.ts";
import { policyFormulas, readPolicy } from "../src/index.ts";
import { listOf, parseSql, walkTree } from "../src/run/syntaxTree.ts";
import { openPolicyFolder } from "./policyFolder.ts";

/** The LaTeX of an expression, with names as they are. */
async function latex(expression: string): Promise<string> {
  const tree = await parseSql(`select ${expression} from t`);
  const select = [...walkTree(tree)].find(({ type }) => type === "SELECT_NODE") ?? {};
  return latexOf(listOf(select, "select_list")[0]).replaceAll(/\\mathit\{([^}]*)\}/g, "$1");
}

test.each([
  ["a * (b + c)", String.raw`a \cdot \left(b + c\right)`],
  ["a * b + c", String.raw`a \cdot b + c`],
  ["a - (b - c)", String.raw`a - \left(b - c\right)`],
  ["a - b - c", "a - b - c"],
  ["a * (b * c)", String.raw`a \cdot \left(b \cdot c\right)`],
  ["a % b + c", String.raw`\left(a \bmod b\right) + c`],
  ["a * b % c", String.raw`\left(a \cdot b\right) \bmod c`],
  ["-a * b", String.raw`\left(-a\right) \cdot b`],
  ["a - -3", String.raw`a - \left(-3\right)`],
  ["a // b // c", String.raw`\left\lfloor \frac{\left\lfloor \frac{a}{b} \right\rfloor}{c} \right\rfloor`],
  ["sum(a * b)", String.raw`\sum a \cdot b`],
  ["sum(a + b)", String.raw`\sum \left(a + b\right)`],
  ["sum(a) * b", String.raw`\left(\sum a\right) \cdot b`],
  ["sum(a) + b", String.raw`\left(\sum a\right) + b`],
  ["count(*)", String.raw`\sum 1`],
  ["least(a, greatest(b, 2))", String.raw`\min\left(a, \max\left(b, 2\right)\right)`],
  ["1.50 * a", String.raw`1.50 \cdot a`],
  ["0.05", "0.05"],
  ["-0.5", "-0.5"],
  ["'50%_a'", String.raw`\text{‘50\%\_a’}`],
  ['"total_score$"', String.raw`total\_score\$`],
  ["t.a", "t.a"],
  ["cast(floor(a * 1.5) as hugeint)", String.raw`\operatorname{floor}\left(a \cdot 1.5\right)`],
  ["a = 1 and (b or not c)", String.raw`a = 1 \land \left(b \lor \lnot c\right)`],
  ["not (a between 1 and 2)", String.raw`\lnot \left(1 \le a \le 2\right)`],
  ["a between 1 and b + 1", String.raw`1 \le a \le b + 1`],
  ["a <> 1 or a in (1, 2) or a not in (3)", String.raw`a \ne 1 \lor a \in \{1, 2\} \lor a \not\in \{3\}`],
  ["(a >= 1) = true", String.raw`\left(a \ge 1\right) = \text{true}`],
  [
    "case when a > 1 then case when b then 1 else 2 end else 3 end",
    String.raw`\begin{cases} \begin{cases} 1 & \text{if } b \\ 2 & \text{otherwise} \end{cases} & \text{if } a > 1 \\ 3 & \text{otherwise} \end{cases}`,
  ],
  [
    "case a when 1 then 2 else 3 end * 4",
    String.raw`\left(\begin{cases} 2 & \text{if } a = 1 \\ 3 & \text{otherwise} \end{cases}\right) \cdot 4`,
  ],
])("%s is a formula", async (expression, expected) => {
  expect(await latex(expression)).toBe(expected);
});

test.each([
  "sum(distinct a)",
  "sum(a) filter (where b)",
  "sum(a) over ()",
  "count(a)",
  "max(a)",
  "abs(a)",
  "a / b",
  "case when a then 1 end",
  "a is null",
  "coalesce(a, 0)",
  "cast(a as integer)",
  "cast(a * 1.5 as hugeint)",
  "try_cast(floor(a) as hugeint)",
  "12345678901234567890",
  "(select 1)",
  "a in (select 1)",
  "null",
  "a like 'b'",
])("%s has no formula", async (expression) => {
  await expect(latex(expression)).rejects.toThrow();
});

/** The formulas of a query over the points of the test policy. */
async function formulas(sql: string): Promise<PolicyFormulas> {
  await using folder = await openPolicyFolder({ "policy.sql": sql });
  return await policyFormulas(await readPolicy(folder.path));
}

const lines = ({ formulas: [formula] }: PolicyFormulas): readonly string[] =>
  formula !== undefined && "latex" in formula ? formula.latex.flatMap((block) => block.split("\n")) : [];

test("a SELECT has its values, groups, tables and conditions", async () => {
  const sql = "select address, sum(points) as score from points where points > 1 group by address having score > 2";
  expect(lines(await formulas(sql))).toEqual([
    String.raw`\begin{aligned}`,
    String.raw`\mathit{address} &= \mathit{address} \\`,
    String.raw`\mathit{score} &= \sum \mathit{points} \\`,
    String.raw`\text{for each} &\ \mathit{address} \\`,
    String.raw`\text{in} &\ \mathrm{points} \\`,
    String.raw`\text{where} &\ \mathit{points} > 1 \\`,
    String.raw`\text{only if} &\ \mathit{score} > 2`,
    String.raw`\end{aligned}`,
  ]);
});

test.each([
  "select address, sum(points) as score from points group by all",
  "select address, sum(points) as score from points group by 1",
  "select address, sum(points) as score from points group by rollup (address)",
  "select address, points as score from points limit 1",
  "select distinct address, points as score from points",
  "select address, points as score from points left join points as p using (address)",
  "select address, points as score from (select * from points)",
  "select address, points as score from points as p(points, address)",
  "select address, points as score from points qualify row_number() over () = 1",
  "select address, sum(points) as points from points group by address having points > 1",
  "select address, points as score from points union select address, points from points",
  "select address, sum(points) from points group by address",
  "select * from points",
])("%s is a gap, with the text of the query", async (sql) => {
  const { formulas: found, sql: text } = await formulas(sql);
  expect(found).toEqual([{ name: "score", lacks: expect.any(String) }]);
  expect(text).toBe(sql);
});

test("each WITH has its own formula; what one of them lacks, the others do not", async () => {
  const {
    formulas: found,
    constants,
    variables,
  } = await formulas(
    `with weight(kind, factor) as (values ('a', 2), ('b', 7)),
     best as (select address, max(points) as most from points group by address),
     every(address, n) as (select address, 1 from best union all select address, most * factor from best, weight)
     select address, sum(n) // 10000 as score from every where n <> 2 group by address`,
  );
  expect(found.map((each) => [each.name, "lacks" in each ? each.lacks : each.latex.length])).toEqual([
    ["best", expect.stringContaining("max")],
    ["every", 2],
    ["score", 1],
  ]);
  expect(constants).toEqual(
    [
      { value: "a, 2", meaning: "kind, factor" },
      { value: "b, 7", meaning: "kind, factor" },
      ...["1", "10000", "2"].map((value) => ({ value, meaning: undefined })),
    ].sort((one, other) => Number(other.meaning !== undefined) - Number(one.meaning !== undefined)),
  );
  expect(variables.map(({ name, unit }) => [name, unit])).toEqual([
    ["points.address", "address"],
    ["points.points", undefined],
  ]);
});
