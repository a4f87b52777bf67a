import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { BlockRange, ChainSource } from "../chain/chainSource.ts";
import { BlockDigests } from "./blockDigests.ts";
import { partName, type PartJournal, type StoredPart } from "./partJournal.ts";
import { maxPartRows, partFolders, partPath, PartWriter } from "./partWriter.ts";

/** Blocks after which a part is finished, however few rows they have. */
const maxBlocks = 100_000;

/** Blocks to read, and where to store their rows. */
export interface ReadIntoPartsOptions {
  readonly journal: PartJournal;
  /** The blocks that are not stored yet. */
  readonly range: BlockRange;
  readonly folder: string;
  /** Called after each part that the source yields, with the number of its rows. */
  readonly onPart: (range: BlockRange, rows: number) => void;
  readonly signal: AbortSignal;
}

/** The stored part that is being read. */
interface OpenPart extends BlockRange {
  readonly lastHash: string;
}

/**
 * Reads blocks of a source and stores their rows. Small parts are joined, so that a long range without many rows becomes few
 * files. What was read before a failure is stored before that is thrown.
 *
 * @throws Errors of {@link ChainSource.read}; Error of the system or of DuckDB.
 */
export async function readIntoParts(
  source: ChainSource,
  { journal, range, folder, onPart, signal }: ReadIntoPartsOptions,
): Promise<void> {
  const { columns } = source;
  const writer = await PartWriter.open(folder, columns);
  await removeUnlisted(folder, journal.parts);
  const digests = new BlockDigests(columns[0]?.name === "height");
  let open: OpenPart | undefined;
  /** The part before the open one, whose files are written while the chain is read. */
  let written: Promise<void> = Promise.resolve();
  const finish = async ({ first, last, lastHash }: OpenPart): Promise<void> => {
    await written;
    const { rows } = writer;
    open = undefined;
    written = (async () => {
      const name = partName({ first, last });
      const files = rows === 0 ? undefined : await writer.finish(name, digests.take());
      await journal.add({ first, last, lastHash, rows, files });
    })();
    // It is awaited later, and fails there.
    written.catch(() => undefined);
  };
  try {
    for await (const { first, last, lastHash, rows } of source.read(range, signal)) {
      await writer.add(rows);
      digests.add(rows);
      open = { first: open?.first ?? first, last, lastHash };
      onPart({ first, last }, rows.length);
      if (writer.rows >= maxPartRows || last - open.first >= maxBlocks) await finish(open);
    }
  } finally {
    try {
      if (open !== undefined) await finish(open);
      await written;
    } finally {
      writer.close();
    }
  }
}

/**
 * Removes the files that a kill left before their part was listed: the same blocks may be divided into other parts the next
 * time. The folders exist.
 *
 * @throws Error of the system.
 */
async function removeUnlisted(folder: string, parts: readonly StoredPart[]): Promise<void> {
  for (const name of partFolders) {
    const listed = new Set(parts.map((part) => basename(partPath(folder, name, partName(part)))));
    for (const file of await readdir(join(folder, name))) {
      if (!listed.has(file)) await rm(join(folder, name, file));
    }
  }
}
