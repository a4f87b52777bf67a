import SqliteDatabase from "better-sqlite3";
import pg from "pg";
import { VipError } from "@vipscore/core";

/**
 * PostgreSQL's error classes (appendix A), and some single errors, after which the same statement may succeed: lost connections,
 * lack of resources or rights, a server that shuts down or takes no writes (cloudnative-pg 1254), statements that a pooler or an
 * upgrade took away, and transactions that it rolled back because of others: a read replica cancels reads that way if they hold
 * up what it replays.
 */
const passing = /^(?:08|0A|25|26|28|3D|3F|40|42501|42P05|53|55|57|58|72|F0|HV|XX000)/;

/** The same of SQLite's result codes. */
const passingFile = /^SQLITE_(?:AUTH|BUSY|CANTOPEN|FULL|INTERRUPT|IOERR|LOCKED|NOLFS|NOMEM|PERM|PROTOCOL|READONLY)/;

/** The driver's messages without a code for a broken connection, or one that never was. */
const lostMessages =
  /^(?:Connection terminated|Client (?:was closed|has encountered)|timeout exceeded|SASL|.* SSL connection)/;

/** What to do, by the beginning of PostgreSQL's code. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/^25006/, "It takes no writes now, as a standby or a full server does: name one that does, or wait."],
  [/^28/, "Check that the role may log in, and its password."],
  [/^(?:26|42P05)/, "Through a pooler, use its session mode."],
  [
    /^(?:3F|42501)/,
    "As its owner: grant usage, create on schema SCHEMA to its role; " +
      "grant select, insert, update, delete on all tables in schema SCHEMA to its role.",
  ],
];

/**
 * Runs statements, and reports an unreachable or damaged database. A transaction that fails this way is not applied,
 * unless the connection broke between its commit and the answer: the indexed height shows which.
 *
 * @throws VipError DATABASE_UNREACHABLE, DATABASE_INVALID; any other error unchanged.
 */
export async function withDatabaseErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw databaseError(error) ?? error;
  }
}

export function isDamaged(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^XX00[12]/.test(error.code ?? "");
  return error instanceof SqliteDatabase.SqliteError && /^SQLITE_(?:NOTADB|CORRUPT)/.test(error.code);
}

/** The error for a database that does not hold what an indexer of this version writes. */
export function databaseInvalid(problem: string, cause?: unknown): VipError {
  return new VipError(problem, {
    code: "DATABASE_INVALID",
    metaMessages: ["Use a new database, which nothing else writes to: the indexer fills it from the chain."],
    cause,
  });
}

/** Returns the error to report for a failure of a database or its connection; undefined for any other error. */
export function databaseError(error: unknown): VipError | undefined {
  if (!(error instanceof Error) || error instanceof VipError) return undefined;
  const { message } = error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (isDamaged(error)) return databaseInvalid(`the database is damaged: ${message}`, error);
  const isRefusal = error instanceof SqliteDatabase.SqliteError || (error instanceof pg.DatabaseError && code !== "");
  // Node's own codes, but those of TLS, are of wrong calls.
  const isLost = error instanceof pg.DatabaseError || lostMessages.test(message) || /^(?!ERR_(?!TLS|SSL)).+/.test(code);
  if (isRefusal && !passing.test(code) && !passingFile.test(code))
    return databaseInvalid(`the database refuses what the indexer asks, ${code}: ${message}`, error);
  if (!isRefusal && !isLost) return undefined;
  const [, what] = advice.find(([codes]) => codes.test(code)) ?? [];
  const [, schema = "public"] = / schema (\S+)/.exec(message) ?? [];
  return new VipError(
    isRefusal ? `the database refuses, ${code}: ${message}` : `the database does not answer: ${message}`,
    {
      code: "DATABASE_UNREACHABLE",
      metaMessages: [
        what?.replaceAll("SCHEMA", schema) ??
          "Check that it runs, that its disk has space, and that nothing else writes to it.",
      ],
      cause: error,
    },
  );
}
