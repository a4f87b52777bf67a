import { writeSource } from "../../src/data/writeSource.ts";
import {
  exampleFiles,
  readPolicy,
  runPolicy,
  type PolicyExample,
  type PolicySource,
  type SourceColumn,
  type SourceRow,
} from "../../src/index.ts";
import { batchesOf } from "../batchesOf.ts";
import { alice, openPolicyFolder } from "../policyFolder.ts";

/** The columns of heights and times. */
export const place = (name: string) => ({ name, type: "integer", stored: "bigint" }) as const satisfies SourceColumn;

/** A source with the given rows. */
export function rowsSource(name: string, columns: readonly SourceColumn[], rows: readonly SourceRow[]): PolicySource {
  const described = { name, kind: "test", columns };
  return { ...described, collect: (options) => writeSource(described, batchesOf(rows), options) };
}

/** Runs the query of an example over sources; returns each account's score. */
export async function runExample(
  example: PolicyExample,
  sources: readonly PolicySource[],
): Promise<ReadonlyMap<string, bigint>> {
  await using folder = await openPolicyFolder();
  const policy = await readPolicy(folder.path);
  const files = await exampleFiles({ example, vm: "evm", chainId: "1", contract: alice });
  const sql = files.get("policy.sql") ?? "";
  const { table } = await runPolicy({ ...policy, sql }, sources, { spill: folder.path });
  return new Map([...table].map(({ account, score }) => [account, score]));
}

/** Adds to a value of a map. */
export function addTo(scores: Map<string, bigint>, account: string, score: bigint): void {
  scores.set(account, (scores.get(account) ?? 0n) + score);
}
