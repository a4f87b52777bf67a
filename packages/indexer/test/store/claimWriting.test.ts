import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/openStore.ts";
import { createDatabase } from "../postgres/createDatabase.ts";
import { address, apply, block, collection } from "./blocks.ts";
import { openNew, temporaryFile } from "./databases.ts";

const program = join(import.meta.dirname, "claimProcess.ts");

describe.each([
  ["a file of SQLite", temporaryFile],
  ["PostgreSQL", createDatabase],
])("%s", (_name, create) => {
  it("has one writer at a time, and any number of readers", async () => {
    const database = await create();
    const first = await openStore(database);
    await apply(first, block(1, collection(address("c1"))));
    await first.claimWriting();
    await first.claimWriting();
    const second = await openStore(database);
    await expect(second.claimWriting()).rejects.toMatchObject({ code: "DATABASE_IN_USE" });
    expect(await second.readChain()).toMatchObject({ height: 1 });
    await apply(first, block(2, collection(address("c2"))));
    await first.close();
    await second.claimWriting();
    await apply(second, block(3, collection(address("c3"))));
    expect(await second.readStatus()).toMatchObject({ height: 3 });
    await second.close();
  });

  it("is free again after the writing program was killed", async () => {
    const database = await create();
    const child = spawn(process.execPath, ["--conditions=@vipscore/source", program, database], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    try {
      await once(createInterface(child.stdout), "line");
      const store = await openStore(database);
      await expect(store.claimWriting()).rejects.toMatchObject({ code: "DATABASE_IN_USE" });
      child.kill("SIGKILL");
      await ended;
      await store.claimWriting();
      await store.close();
    } finally {
      child.kill("SIGKILL");
    }
  });
});

it("is lost with PostgreSQL's connection: the new holder continues, and the other can no longer write", async () => {
  const database = await createDatabase();
  const first = await openNew(async () => database);
  const second = await openNew(async () => database);
  await apply(first, block(1, collection(address("c1"))));
  const other = new pg.Client({ connectionString: database });
  await other.connect();
  // The server has other databases, of other tests.
  const holders = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
    and database = (select oid from pg_database where datname = current_database())`;
  expect((await other.query(holders)).rowCount).toBe(1);
  await other.end();
  await second.claimWriting();
  await expect(first.claimWriting()).rejects.toMatchObject({ code: expect.stringMatching(/^DATABASE_/) as string });
  const applied = apply(first, block(2, collection(address("c2"))));
  await expect(applied).rejects.toMatchObject({ code: "DATABASE_IN_USE" });
  expect(await second.readChain()).toMatchObject({ height: 1 });
});
