import type { DuckDBConnection } from "@duckdb/node-api";
import { policyInvalid, policyRefused } from "../policyError.ts";
import { addingAggregates } from "./allowedFunctions.ts";
import { describeSql, textOf, walkTree } from "./syntaxTree.ts";

/**
 * Checks that no aggregate adds floats, whose sum depends on the order of the rows. DuckDB's plan has the type of each
 * argument, also where it comes from a subquery or from a function.
 *
 * @throws InputError `POLICY_REFUSED`; `POLICY_INVALID` for a query that DuckDB cannot plan.
 */
export async function checkTypes(connection: DuckDBConnection, sql: string): Promise<void> {
  const plan = await describeSql(connection, "json_serialize_plan", sql);
  if (plan["error"] !== false) {
    throw policyInvalid("policy.sql", "cannot be run", { details: textOf(plan, "error_message") });
  }
  for (const node of walkTree(plan)) {
    const name = textOf(node, "name") || textOf(node, "function_name");
    const types: readonly unknown[] = Array.isArray(node["arguments"]) ? node["arguments"] : [];
    if (!addingAggregates.has(name) || !types.some((type) => /^(?:FLOAT|DOUBLE)$/.test(textOf(type, "id")))) continue;
    throw policyRefused(`policy.sql uses ${name}() of floats, which depends on the order of the rows`, {
      metaMessages: [
        `Write ${name}() of integers: divide with //, or cast each value, as in ${name}(cast(x as decimal(38, 6))).`,
      ],
    });
  }
}
