import { windowSourceName } from "./openSources.ts";
import type { CollectOptions, PolicySource, SourceData } from "./policySource.ts";

/** A source as it was collected. */
export type CollectedSource = Pick<SourceData, "name" | "kind" | "rows" | "digest">;

/** What the digest of a source is made of: its columns, and files with the digests of its blocks up to a height. */
export type SourceBlocks = Pick<SourceData, "columns" | "digests" | "lastHeight">;

/** The sources that were counted, as a manifest names them. */
export interface SourceDigests {
  readonly sources: readonly CollectedSource[];
  /** By the source's name; only sources with heights have blocks. */
  readonly blocks: ReadonlyMap<string, SourceBlocks>;
}

/**
 * Reads all rows of sources into files, one source after the other.
 *
 * @throws Errors of {@link PolicySource.collect}.
 */
export async function collectSources(
  sources: readonly PolicySource[],
  options: CollectOptions,
): Promise<readonly SourceData[]> {
  const collected: SourceData[] = [];
  for (const source of sources) collected.push(await source.collect(options));
  return collected;
}

/** Describes collected sources. The window is not one: its blocks are known without it. */
export function describeSources(collected: readonly SourceData[]): SourceDigests {
  const sources = collected.filter(({ name }) => name !== windowSourceName);
  return {
    sources: sources.map(({ name, kind, rows, digest }) => ({ name, kind, rows, digest })),
    blocks: new Map(sources.filter(hasBlocks).map((source) => [source.name, source])),
  };
}

function hasBlocks({ lastHeight }: SourceData): boolean {
  return lastHeight !== undefined;
}
