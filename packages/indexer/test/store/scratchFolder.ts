import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** A folder for the databases of all tests, removed when the run ends. */
    readonly scratchFolder: string;
  }
}

/** Creates one folder for the files of all tests. A hook in a test file cannot remove them, because test files share helpers. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "vipscore-indexer-"));
  project.provide("scratchFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}
