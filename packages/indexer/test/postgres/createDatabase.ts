import { randomBytes } from "node:crypto";
import { createDatabase as createNamed } from "@vipscore/testkit/startPostgres";
import { inject } from "vitest";

/** Makes an empty database in the PostgreSQL that the tests share, and gives its URL. */
export function createDatabase(): Promise<string> {
  return createNamed(inject("postgresUrl"), `test_${randomBytes(8).toString("hex")}`);
}
