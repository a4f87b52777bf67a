import type { TestProject } from "vitest/node";
import { startPostgres } from "@vipscore/testkit/startPostgres";

declare module "vitest" {
  export interface ProvidedContext {
    /** URL of the PostgreSQL that all tests share; each creates its own databases in it. */
    readonly postgresUrl: string;
  }
}

/** Starts one PostgreSQL for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres();
  project.provide("postgresUrl", url);
  return stop;
}
