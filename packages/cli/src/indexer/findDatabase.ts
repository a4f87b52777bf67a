import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { InputError } from "@vipscore/core";
import type { Io } from "../io.ts";

/** Where an index is kept. */
export interface FoundDatabase {
  /** As the indexer takes it. */
  readonly value: string;
  /** As people are told; holds no part of a URL. */
  readonly title: string;
}

/**
 * Where the index is kept: the file that was named, else `DATABASE_URL`, else the usual file. A URL may hold a password, so it
 * is never an argument.
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
  // A folder that cannot be made is met, and named, when the file is opened.
  await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  return { value: path, title: file };
}
