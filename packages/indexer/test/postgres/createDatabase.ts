import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** Makes an empty database in the PostgreSQL that the tests share, and gives its URL. */
export async function createDatabase(): Promise<string> {
  const url = new URL(inject("postgresUrl"));
  const name = `test_${randomBytes(8).toString("hex")}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  url.pathname = name;
  return url.href;
}
