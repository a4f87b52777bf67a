import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { InputError, systemErrorCode } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { hashSource } from "../data/blockDigests.ts";
import type { SourceBlocks } from "../sources/openSources.ts";

/** The rows of a block: how many, and their digest. See `BlockDigests`. */
export interface BlockRows {
  readonly rows: number;
  readonly sha256: string;
}

/** The first block whose rows are not those that were published. */
export interface BlockDifference {
  readonly height: number;
  /** Undefined if the published source has no rows in the block. */
  readonly published: BlockRows | undefined;
  /** Undefined if the collected source has none. */
  readonly collected: BlockRows | undefined;
}

/** A line of a file of digests. */
interface BlockLine extends BlockRows {
  readonly height: number;
}

/**
 * Finds the first block in which a collected source differs from a published one, from the digests of its blocks. They prove
 * themselves: the published source's digest is made of them.
 *
 * @param folder The folder `digests` of the published source, with the files `part-<first>-<last>.txt`.
 * @param sha256 The published source's digest.
 * @returns `other` if the folder has not the digests of that source; undefined if no block differs.
 * @throws InputError `FILE_UNREADABLE`.
 */
export async function findFirstDifference(
  { columns, digests, lastHeight }: SourceBlocks,
  folder: string,
  sha256: string,
): Promise<BlockDifference | "other" | undefined> {
  const published = await publishedFiles(folder);
  const hash = hashSource(columns);
  for await (const { height, rows, sha256: digest } of linesOf(published, folder, lastHeight)) {
    hash.update(`${height} ${rows} ${digest}\n`);
  }
  if (hash.digest("hex") !== sha256) return "other";
  const [theirs, ours] = [linesOf(published, folder, lastHeight), linesOf(digests, folder, lastHeight)];
  try {
    for (;;) {
      const [one, other] = [await next(theirs), await next(ours)];
      if (one === undefined && other === undefined) return undefined;
      if (one?.height === other?.height && one?.sha256 === other?.sha256) continue;
      const height = Math.min(one?.height ?? Infinity, other?.height ?? Infinity);
      const at = (line: BlockLine | undefined) =>
        line?.height === height ? { rows: line.rows, sha256: line.sha256 } : undefined;
      return { height, published: at(one), collected: at(other) };
    }
  } finally {
    for (const lines of [theirs, ours]) await lines.return(undefined);
  }
}

async function next(lines: AsyncGenerator<BlockLine, void, undefined>): Promise<BlockLine | undefined> {
  const result = await lines.next();
  return result.done === true ? undefined : result.value;
}

/** The files of digests in a folder, by their first block. */
async function publishedFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw unreadableFolder(folder, cause);
  });
  const parts = names.flatMap((name) => {
    const [, first] = /^part-(\d+)-\d+\.txt$/.exec(name) ?? [];
    return first === undefined ? [] : [{ name, first: Number(first) }];
  });
  return parts.sort((one, other) => one.first - other.first).map(({ name }) => join(folder, name));
}

/** Reads the blocks in files of digests up to a height. A line that is not one has another digest than any block. */
async function* linesOf(
  files: readonly string[],
  folder: string,
  last = Infinity,
): AsyncGenerator<BlockLine, void, undefined> {
  for (const file of files) {
    try {
      for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
        const [height, rows, sha256 = ""] = line.split(" ");
        if (Number(height) > last) return;
        yield { height: Number(height), rows: Number(rows), sha256 };
      }
    } catch (error) {
      throw unreadableFolder(folder, error);
    }
  }
}

function unreadableFolder(folder: string, cause: unknown): InputError {
  return new InputError(`${quoteText(folder)} cannot be read (${systemErrorCode(cause)})`, {
    code: "FILE_UNREADABLE",
    cause,
  });
}
