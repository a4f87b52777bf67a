import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { InputError } from "@vipscore/core";
import type { Io } from "../../io/io.ts";

/** The database of an index. */
export interface FoundDatabase {
  /** Path or URL, as the indexer expects it. */
  readonly value: string;
  /** Name to show to people; contains no part of a URL. */
  readonly title: string;
}

/**
 * Returns the database of the index: the given file, else `DATABASE_URL`, else the default file. A URL may contain a password,
 * so it is never an argument.
 *
 * @throws InputError `CONFIG_INVALID`
 */
export async function findDatabase(io: Io, file: string, isFileNamed: boolean): Promise<FoundDatabase> {
  const url = io.env["DATABASE_URL"]?.trim() ?? "";
  if (isFileNamed && /^\w+:\/\//.test(file)) {
    throw new InputError("--database takes a file; a database URL may contain a password and must not be an argument", {
      code: "CONFIG_INVALID",
      metaMessages: ["Set the environment variable DATABASE_URL."],
    });
  }
  if (!isFileNamed && url !== "") {
    if (!/^postgres(ql)?:\/\//.test(url)) {
      throw new InputError("DATABASE_URL is not a postgres:// URL", { code: "CONFIG_INVALID" });
    }
    return { value: url, title: "PostgreSQL (DATABASE_URL)" };
  }
  const path = resolve(io.cwd, file);
  // Opening the file reports a folder that cannot be created.
  await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  return { value: path, title: file };
}
