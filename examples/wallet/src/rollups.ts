import { openIndexer, type Indexer } from "@vipscore/indexer-client";

/** A rollup that `public/rollups.json` names. */
export interface Rollup {
  readonly name: string;
  readonly indexer: Indexer;
}

/** @throws Error that names `rollups.json`, if it is missing, wrong or empty. */
export async function readRollups(): Promise<readonly Rollup[]> {
  const response = await fetch("rollups.json");
  const listed = (await response.json().catch(() => [])) as { name: string; indexer: string }[];
  if (listed.length === 0) throw new Error("public/rollups.json names no rollup: npm run local");
  // A path of the page's own server is an indexer, too.
  return listed.map(({ name, indexer }) => ({ name, indexer: openIndexer(new URL(indexer, location.href).href) }));
}
