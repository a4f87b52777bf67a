import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore, openStoreToRead } from "../../src/store/openStore.ts";
import { createDatabase } from "../postgres/createDatabase.ts";
import { address, apply, block, collection, mint } from "./blocks.ts";
import { temporaryFile } from "./databases.ts";
import { execute } from "./execute.ts";

describe.each([
  ["a file of SQLite", temporaryFile],
  ["PostgreSQL", createDatabase],
])("%s", (_name, create) => {
  it("keeps its data when it is reopened", async () => {
    const database = await create();
    const store = await openStore(database);
    await apply(store, block(9, collection(address("c1"), "Cats"), mint(address("c1"), "1", address("a1"))));
    await store.close();
    const again = await openStore(database);
    expect(await again.readChain()).toMatchObject({ chainId: "test-1", height: 9 });
    expect(await again.countTokens({ owner: address("a1") })).toBe(1);
    await again.close();
  });

  it("refuses the schema of another version, to write and to read", async () => {
    const database = await create();
    await (await openStore(database)).close();
    await execute(database, "insert into kysely_migration (name, timestamp) values ('9999_of_the_future', '2099')");
    await expect(openStore(database)).rejects.toMatchObject({ code: "DATABASE_INVALID" });
    await expect(openStoreToRead(database)).rejects.toMatchObject({ code: "DATABASE_INVALID" });
  });

  it("refuses a database of another program", async () => {
    const database = await create();
    await execute(database, "create table tokens (name text)");
    await expect(openStore(database)).rejects.toMatchObject({ code: "DATABASE_INVALID" });
  });
});

it("refuses a file that is not a SQLite database, and does not change it", async () => {
  const file = await temporaryFile();
  await writeFile(file, "a letter to my aunt\n".repeat(100));
  await expect(openStore(file)).rejects.toMatchObject({ code: "DATABASE_INVALID" });
  expect(await readFile(file, "utf8")).toMatch(/^a letter/);
});

it("refuses a folder, and a path in a missing folder", async () => {
  const folder = await temporaryFile();
  await mkdir(folder);
  await expect(openStore(folder)).rejects.toMatchObject({ code: "DATABASE_UNREACHABLE" });
  await expect(openStore(join(folder, "missing", "nfts.sqlite"))).rejects.toMatchObject({
    code: "DATABASE_UNREACHABLE",
  });
});

describe("a PostgreSQL that cannot be used", () => {
  it.each([
    ["nothing listens", (url: URL) => void (url.port = "1"), "DATABASE_UNREACHABLE"],
    ["a wrong password", (url: URL) => void (url.password = "hunter2-secret"), "DATABASE_UNREACHABLE"],
    ["a missing database", (url: URL) => void (url.pathname = "/missing"), "DATABASE_UNREACHABLE"],
  ])("%s", async (_what, change, code) => {
    const url = new URL(await createDatabase());
    url.password = "hunter1-secret";
    change(url);
    const error: unknown = await openStore(url.href).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain("secret");
    expect(String(error)).toContain("127.0.0.1");
  });

  it("an encoding without every character", async () => {
    const url = new URL(await createDatabase());
    const name = `${url.pathname.slice(1)}_latin`;
    await execute(
      url.href,
      `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
    );
    url.pathname = name;
    await expect(openStore(url.href)).rejects.toMatchObject({ code: "DATABASE_INVALID" });
  });

  it.each([
    ["that is invalid", "postgres://user:se cret@:99999999/x"],
    ["of another database", "mysql://user:secret@127.0.0.1/x"],
  ])("a URL %s", async (_what, url) => {
    const error: unknown = await openStore(url).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code: "CONFIG_INVALID" });
    expect(String(error)).not.toContain("cret");
  });
});

it("lets two programs start with one new PostgreSQL at the same time", async () => {
  const database = await createDatabase();
  const stores = await Promise.all([1, 2, 3].map(() => openStore(database)));
  expect(await stores[0]?.readChain()).toBeUndefined();
  for (const store of stores) await store.close();
});
