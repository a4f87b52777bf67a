import type { ResolvedWindow } from "../chain/resolveWindow.ts";
import type { PolicySource } from "./policySource.ts";

/** The name of the table with the window's blocks, which every policy has that reads the rollup. */
export const windowSourceName = "policy_window";

/** Opens the table with one row: the first and the last block of the window, and their Unix times in seconds. */
export function windowSource({ first, last }: ResolvedWindow): PolicySource {
  const values = { first_height: first.height, last_height: last.height, first_time: first.time, last_time: last.time };
  return {
    name: windowSourceName,
    kind: "window",
    columns: Object.keys(values).map((name) => ({ name, type: "integer" })),
    async *collect() {
      yield [Object.values(values).map(BigInt)];
    },
  };
}
