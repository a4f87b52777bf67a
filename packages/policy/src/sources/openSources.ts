import { fileUnwritable, VipError } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import type { PolicyChain, ResolvedWindow } from "../chain/policyChain.ts";
import { writeSource } from "../data/writeSource.ts";
import type { Policy } from "../policy.ts";
import type { CollectOptions, PolicySource, SourceData, SourceRow } from "./policySource.ts";

/**
 * Opens the sources of a policy, in its order, and then the table of its window if one of them reads the rollup. Nothing is read until a source is collected.
 *
 * @param chain The policy's rollup; needed by sources that read it.
 * @throws InputError `CONFIG_INVALID` without a rollup that a source needs, `POLICY_INVALID` for a kind of another VM.
 */
export function openSources({ folder, sources }: Policy, chain?: PolicyChain): readonly PolicySource[] {
  const opened = sources.map((source) => source.open({ folder, chain }));
  return chain === undefined ? opened : [...opened, windowSource(chain.window)];
}

/** The name of the table with the window's blocks, which every policy has that reads the rollup. */
export const windowSourceName = "policy_window";

/** Opens the table with one row: the first and the last block of the window, and their Unix times in seconds. */
function windowSource({ first, last }: ResolvedWindow): PolicySource {
  const values = { first_height: first.height, last_height: last.height, first_time: first.time, last_time: last.time };
  const columns = Object.keys(values).map((name) => ({ name, type: "integer", stored: "bigint" }) as const);
  const source = { name: windowSourceName, kind: "window", columns };
  return { ...source, collect: (options) => writeSource(source, oneRow(Object.values(values).map(BigInt)), options) };
}

// eslint-disable-next-line typescript/require-await
async function* oneRow(row: SourceRow): AsyncGenerator<readonly SourceRow[], void, undefined> {
  yield [row];
}

/** A source as it was collected. */
export type CollectedSource = Pick<
  SourceData,
  "name" | "kind" | "rows" | "digest" | "assumed" | "misfits" | "compared" | "leftOut"
>;

/** What was collected of a source, as a text. */
export function rowsText({
  rows,
  misfits = [],
  compared,
  leftOut = 0,
}: Pick<CollectedSource, "rows" | "misfits" | "compared" | "leftOut">): string {
  const left = misfits.length === 0 ? "" : `, ${count(misfits.length, "event")} left out`;
  const blocks = compared && `, ${group(compared.compared)} of ${count(compared.blocks, "block")} compared`;
  const tokens = leftOut === 0 ? "" : `, ${count(leftOut, "token")} left out that their contracts count`;
  return `${count(rows, "row")}${left}${tokens}${blocks ?? ""}`;
}

/**
 * Reads all rows of sources into files, one source after the other.
 *
 * @throws InputError `FILE_UNWRITABLE`; errors of {@link PolicySource.collect}.
 */
export async function collectSources(
  sources: readonly PolicySource[],
  options: CollectOptions,
): Promise<readonly SourceData[]> {
  const collected: SourceData[] = [];
  for (const source of sources) {
    const data = source.collect(options).catch((error: unknown) => {
      throw unwritableOf(error);
    });
    collected.push(await data);
  }
  return collected;
}

/** Names the file that the system or DuckDB could not write; returns any other error as it is. */
function unwritableOf(error: unknown): unknown {
  if (!(error instanceof Error) || VipError.isVipError(error)) return error;
  if ("path" in error && typeof error.path === "string") return fileUnwritable(error.path, error);
  const [, path, code] = /^IO Error: Could not write file "(.*)": (.*)$/.exec(error.message) ?? [];
  return path === undefined ? error : fileUnwritable(path, { code });
}

/** Describes collected sources, as a manifest names them. The window is not one: its blocks are known without it. */
export function describeSources(collected: readonly SourceData[]): readonly CollectedSource[] {
  return collected
    .filter(({ name }) => name !== windowSourceName)
    .map(({ name, kind, rows, digest, assumed, misfits, compared, leftOut }) => ({
      name,
      kind,
      rows,
      digest,
      assumed,
      misfits,
      compared,
      leftOut,
    }));
}
