import type { TomlTable } from "../files/tomlTable.ts";
import { policyInvalid } from "../policyError.ts";

/**
 * Reads `start_height`: the first height of a source that begins before the window, such as balances that were changed earlier and
 * count in it. Undefined if it begins with the window.
 *
 * @throws InputError `POLICY_INVALID`.
 */
export function readStartHeight(table: TomlTable): number | undefined {
  const height = table.optionalInteger("start_height");
  if (height === undefined) return undefined;
  if (height >= 1n && height <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(height);
  throw policyInvalid(table.place("start_height"), `is ${height}; give a height from 1`);
}
