import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { createDatabase as createNamed } from "@vipscore/testkit/startPostgres";

/** Creates an empty database in the tests' shared PostgreSQL and returns its URL. */
export function createDatabase(): Promise<string> {
  return createNamed(inject("postgresUrl"), `test_${randomBytes(8).toString("hex")}`);
}
