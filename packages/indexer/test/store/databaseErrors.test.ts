import { readFile, writeFile } from "node:fs/promises";
import SqliteDatabase from "better-sqlite3";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { VipError } from "@vipscore/core";
import { query } from "@vipscore/testkit/startPostgres";
import { createApi } from "../../src/api/createApi.ts";
import { openStore, openStoreToRead, type Store } from "../../src/store/openStore.ts";
import { startFollowing } from "../follow/following.ts";
import { PlayedChain } from "../follow/playedChain.ts";
import { createDatabase } from "../postgres/createDatabase.ts";
import { address, apply, block, collection, mint } from "./blocks.ts";
import { temporaryFile } from "./databases.ts";
import { execute } from "./execute.ts";

/** One code at least of each class of PostgreSQL's errors, appendix A of its manual, by whether the same statement may succeed later. */
const passing =
  "08000 08003 08006 08P01 0A000 25000 25001 25006 25P02 25P03 25P04 26000 28000 28P01 3D000 3F000 40001 40003 40P01 42501 " +
  "42P05 53000 53100 53200 53300 53400 55000 55006 55P03 55P04 57000 57014 57P01 57P03 57P04 57P05 58000 58030 58P01 72000 " +
  "F0000 F0001 HV000 HV00N XX000";
const lasting =
  "03000 09000 0B000 0F000 0L000 0P000 0Z000 20000 21000 22000 22001 22021 22P02 23000 23502 23505 24000 27000 2B000 2BP01 " +
  "2D000 2F000 34000 38000 39000 3B000 42000 42601 42703 42804 42P01 42P07 44000 54000 54001 P0000 P0001 XX001 XX002";
const states = [
  ...passing.split(" ").map((state) => [state, "DATABASE_UNREACHABLE"] as const),
  ...lasting.split(" ").map((state) => [state, "DATABASE_INVALID"] as const),
];

/** A function that fails with the only code of its table, and nothing if that is empty. */
const raising = `create table raised (state text); create function fails() returns boolean language plpgsql volatile as $$
  declare failing text; begin
    select state into failing from public.raised;
    if failing is not null then raise exception using errcode = failing, message = 'raised on purpose'; end if;
    return true;
  end $$; create function fails_first() returns trigger language plpgsql as 'begin perform fails(); return new; end'`;

/** The same in SQLite, for each change. */
const forbidding = "create trigger forbidden before update on chain begin select raise(abort, 'forbidden'); end";

const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

/** A failure that is reported with its code, and not as a bug. */
const reportedAs = (state: string, code: string) => ({ code, cause: { code: state } });

describe("each class of PostgreSQL's errors is reported", () => {
  let [database, empty] = ["", ""];
  let store: Store;
  const fail = async (state?: string) => {
    for (const url of [database, empty]) {
      await execute(url, `delete from raised${state === undefined ? "" : `; insert into raised values ('${state}')`}`);
    }
  };
  beforeAll(async () => {
    [database, empty] = [await createDatabase(), await createDatabase()];
    store = await openStore(database);
    await apply(store, block(1, collection(address("c1"))));
    await execute(database, raising);
    await execute(
      database,
      "create trigger failing before update on chain for each row execute function fails_first()",
    );
    for (const table of ["collections", "kysely_migration"]) {
      await execute(database, `alter table ${table} rename to kept_${table}`);
      await execute(database, `create view ${table} as select * from kept_${table} where fails()`);
    }
    await execute(empty, raising);
    await execute(
      empty,
      `create function fails_at_start() returns event_trigger language plpgsql as 'begin perform public.fails(); end';
       create event trigger failing on ddl_command_start execute function fails_at_start()`,
    );
  });
  afterAll(async () => {
    await fail();
    await store.close();
  });

  it.each(states)("%s as %s", async (state, code) => {
    await fail(state);
    const expected = reportedAs(state, code);
    // Creating tables, where all that lasts is another version's schema.
    const migrated = await failureOf(openStore(empty));
    expect(migrated).toMatchObject(expected);
    // Writing.
    expect(await failureOf(store.applyBlocks([], { height: 2, blockHash: "0x2" }))).toMatchObject(expected);
    expect(await failureOf(store.applyUris([]))).toMatchObject(expected);
    // Reading, by the API.
    const errors: unknown[] = [];
    const api = createApi({ store, onError: (error) => errors.push(error) });
    expect((await api.request("/indexer/nft/v1/collections")).status).toBe(503);
    expect(errors).toMatchObject([expected]);
    // The start of an API.
    const started = await failureOf(openStoreToRead(database));
    expect(VipError.isVipError(started)).toBe(true);
    expect(started).toMatchObject({ code });
  });
});

/** A role that may log in, and a database of its own server's owner; returns the role's URL, too. */
async function newRole() {
  const owners = await createDatabase();
  const url = new URL(owners);
  url.username = `role${url.pathname.slice(1)}`;
  url.password = "secret";
  await execute(owners, `create role "${url.username}" login password 'secret'`);
  return { owners, url: url.href, role: `"${url.username}"` };
}

describe("a role without a right", () => {
  it("to create tables is refused with the grant that it lacks", async () => {
    const { owners, url, role } = await newRole();
    await execute(owners, "revoke create on schema public from public");
    const refusal = await failureOf(openStore(url));
    const grant = expect.stringMatching(/\bgrant usage\b.*\bcreate\b.*\bschema public\b/) as unknown;
    expect(refusal).toMatchObject({ ...reportedAs("42501", "DATABASE_UNREACHABLE"), metaMessages: [grant] });
    await execute(owners, `grant usage, create on schema public to ${role}`);
    await (await openStore(url)).close();
  });

  it("to read is not taken for another version", async () => {
    const { owners, url, role } = await newRole();
    await (await openStore(owners)).close();
    expect(await failureOf(openStoreToRead(url))).toMatchObject(reportedAs("42501", "DATABASE_UNREACHABLE"));
    await execute(owners, `grant select on all tables in schema public to ${role}`);
    await (await openStoreToRead(url)).close();
  });
});

describe("a follower waits and answers reads while", () => {
  const endConnections = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  it.each([
    ["the server is read-only", "25006", "alter database DB set default_transaction_read_only = on", true],
    ["its role is locked", "28000", "alter role ROLE nologin", false],
    ["its rights are taken", "42501", "revoke insert, update on all tables in schema public from ROLE", true],
  ])("%s", async (_, state, change, reads) => {
    const { owners, url, role } = await newRole();
    const as = (text: string) => text.replace("DB", `"${new URL(owners).pathname.slice(1)}"`).replace("ROLE", role);
    await execute(owners, as("grant create on schema public to ROLE"));
    await (await openStore(owners)).close();
    await execute(owners, as("grant select, insert, update, delete on all tables in schema public to ROLE"));
    const store = await openStore(url);
    onTestFinished(() => store.close());
    const chain = new PlayedChain(3);
    const following = startFollowing({ chain, store });
    await following.untilIndexed(3);
    const admin = new pg.Client({ connectionString: owners });
    await admin.connect();
    try {
      await admin.query(as(change));
      await admin.query(endConnections);
      chain.head = 5;
      const isWaiting = () =>
        following.events.some(
          (event) => event.type === "waiting" && (event.error.cause as { code?: string } | undefined)?.code === state,
        );
      await expect.poll(isWaiting).toBe(true);
      const api = createApi({ store, onError: () => undefined });
      // A connection that the server is about to end may still be taken for the first reads.
      const read = async () => (await api.request("/indexer/nft/v1/collections")).status;
      await expect.poll(read).toBe(reads ? 200 : 503);
      await admin.query("set default_transaction_read_only = off");
      await admin.query(as("alter database DB reset default_transaction_read_only"));
      await admin.query(as("alter role ROLE login"));
      await admin.query(as("grant insert, update on all tables in schema public to ROLE"));
      await admin.query(endConnections);
      const indexed = async () => (await query(owners, "select height from chain"))[0];
      await expect.poll(indexed).toEqual({ height: "5" });
    } finally {
      await admin.end();
      await following.stop();
    }
  });
});

it("tables that somebody emptied are reported as such", async () => {
  const database = await createDatabase();
  const store = await openStore(database);
  onTestFinished(() => store.close());
  await apply(store, block(1, collection(address("c1")), mint(address("c1"), "1", address("a1"))));
  await execute(database, "delete from chain");
  const progress = { height: 3, blockHash: "0x3" };
  for (const work of [store.applyBlocks([], progress), store.applyUris([])]) {
    expect(await failureOf(work)).toMatchObject({ code: "DATABASE_INVALID" });
  }
});

describe("a file of SQLite", () => {
  const progress = { height: 2, blockHash: "0x2" };
  it.each([
    ["that another program locks", "begin exclusive", "SQLITE_BUSY", "DATABASE_UNREACHABLE"],
    ["without one of its tables", "drop table chain", "SQLITE_ERROR", "DATABASE_INVALID"],
    ["in which another program forbids a change", forbidding, "SQLITE_CONSTRAINT_TRIGGER", "DATABASE_INVALID"],
  ])("%s is reported", async (_, statement, state, code) => {
    const file = await temporaryFile();
    const store = await openStore(file);
    onTestFinished(() => store.close());
    await apply(store, block(1, collection(address("c1"))));
    const other = new SqliteDatabase(file);
    onTestFinished(() => void other.close());
    other.exec(statement);
    expect(await failureOf(store.applyBlocks([], progress))).toMatchObject(reportedAs(state, code));
  });

  it("that is overwritten is reported as damaged", async () => {
    const file = await temporaryFile();
    const first = await openStore(file);
    await apply(first, block(1, collection(address("c1"))));
    await first.close();
    const bytes = await readFile(file);
    // Behind the header and the schema, which is on the first page.
    await writeFile(file, bytes.fill(7, 8192));
    const refusal = await failureOf(openStore(file).then((store) => store.applyBlocks([], progress)));
    expect(refusal).toMatchObject({ code: "DATABASE_INVALID" });
  });
});
