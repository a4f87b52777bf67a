import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { VipError } from "@vipscore/core";
import { lockFile, type FileLock } from "@vipscore/core/lockFile";
import { folderIdentity } from "@vipscore/core/nodeFile";
import type { BlockRange, ChainSource } from "../chain/chainSource.ts";
import { endpointOf, readBlockHead, type RollupNode } from "../chain/rollupNode.ts";
import { digestFile } from "../files/policyFile.ts";
import { sourceInvalid } from "../policyError.ts";
import type { CollectOptions, Misfit, PolicySource, SourceData } from "../sources/policySource.ts";
import { BlockDigests, countRows, hashSource, linesUpTo } from "./blockDigests.ts";
import { dataInvalid, journalName, PartJournal, partName, readIfThere, type StoredPart } from "./partJournal.ts";
import { isPartFile, maxPartRows, partFiles, partFolders, partPath, PartWriter } from "./partWriter.ts";

/** Progress of reading a source from the chain. */
export interface CollectProgress {
  readonly source: string;
  /** Height up to which its rows are known. */
  readonly height: number;
  readonly last: number;
  readonly rows: number;
}

export interface StoreOptions {
  readonly node: RollupNode;
  /** The chain's ID as the node gives it. */
  readonly chainId: string;
  readonly window: BlockRange;
  /** The folder of all stored data; each source gets one inside it. */
  readonly folder: string;
  readonly onProgress?: ((progress: CollectProgress) => void) | undefined;
}

/**
 * Makes a policy's source of what is read from a chain. Its rows are stored in Parquet files as they come, so that a run after a
 * kill reads only what is missing, and a further run nothing. Windows that begin at the same block share them: a later end reads
 * only what is new, an earlier one nothing.
 *
 * `collect` throws errors of {@link ChainSource.read}; VipError `CHAIN_RESTARTED` if the chain has another block than the stored
 * data were read from, `DATA_INVALID` for damaged files, `DATA_IN_USE` while another command reads the source; Error of the system.
 */
export function storedSource(source: ChainSource, options: StoreOptions): PolicySource {
  const { name, kind, columns } = source;
  return { name, kind, columns, collect: (collectOptions) => collectSource(source, options, collectOptions) };
}

async function collectSource(
  source: ChainSource,
  options: StoreOptions,
  { signal = new AbortController().signal }: CollectOptions,
): Promise<SourceData> {
  const { chainId, window, folder } = options;
  const { columns } = source;
  // Without heights, rows are of their window alone.
  const hasHeights = columns[0]?.name === "height";
  const range = hasHeights ? { first: window.first } : window;
  const described = JSON.stringify({ version: 4, chainId, ...range, source: source.identity, columns });
  const path = join(folder, createHash("sha256").update(described).digest("hex").slice(0, 32));
  const lock = await lockFolder(path, source.name);
  let journal: PartJournal;
  try {
    await describeFolder(path, described);
    journal = await readMissing(source, path, options, signal);
  } finally {
    lock.release();
  }
  // Listed files do not change anymore.
  const data = await sourceData(source, path, journal, hasHeights ? window.last : undefined, signal);
  requireFew(source, data.misfits ?? []);
  return data;
}

/** @throws VipError `SOURCE_INVALID` for more misfits than the policy allows. */
function requireFew({ name, maxMisfits = 0 }: ChainSource, misfits: readonly Misfit[]): void {
  if (misfits.length <= maxMisfits) return;
  const shown = misfits
    .slice(-3)
    .map(({ height, transaction, event }) => `event ${event} of ${transaction} in block ${height}`);
  throw sourceInvalid(`${name}: more than ${maxMisfits} events do not fit the columns`, {
    metaMessages: [
      `The last ones: ${shown.join("; ")}.`,
      "Declare the column as text, correct it, or raise max_misfits.",
    ],
  });
}

/**
 * Writes what a folder holds and which folder it is. The list of a folder that is another one is removed, so that its rows are read
 * from the chain: somebody may have put them into a repository.
 */
async function describeFolder(path: string, described: string): Promise<void> {
  const text = `${described}\n${JSON.stringify({ folder: await folderIdentity(path) })}\n`;
  const file = join(path, "source.json");
  if ((await readIfThere(file)) === text) return;
  await rm(join(path, journalName), { force: true });
  await writeFile(file, text);
}

/** Two runs would write the same files and list them twice. */
async function lockFolder(path: string, name: string): Promise<FileLock> {
  await mkdir(path, { recursive: true });
  const lock = await lockFile(join(path, "lock"));
  if (lock !== undefined) return lock;
  throw new VipError(`another program reads source ${name} into ${path}`, {
    code: "DATA_IN_USE",
    metaMessages: ["Try again once that program has read the rollup: what it read is not read again."],
  });
}

/** Reads the blocks that are not stored yet, and returns the list of all parts. */
async function readMissing(
  source: ChainSource,
  path: string,
  { node, window, onProgress }: StoreOptions,
  signal: AbortSignal,
): Promise<PartJournal> {
  const journal = await PartJournal.open(path, window.first);
  await requireSameChain(
    node,
    journal.parts.findLast(({ first }) => first <= window.last),
    path,
    signal,
  );
  let rows = 0;
  for (const part of journal.parts) if (part.first <= window.last) rows += part.rows;
  const report = (height: number): void =>
    onProgress?.({ source: source.name, height: Math.min(height, window.last), last: window.last, rows });
  const next = (journal.parts.at(-1)?.last ?? window.first - 1) + 1;
  report(next - 1);
  if (next <= window.last) {
    // A node that no longer has the first block reports it now, and not after hours.
    await readBlockHead(node, next, signal);
    const onPart = (part: BlockRange, more: number): void => {
      rows += more;
      report(part.last);
    };
    await readIntoParts(source, { journal, range: { first: next, last: window.last }, folder: path, onPart, signal });
  }
  return journal;
}

/** Checks the files of the parts, and describes the rows in them up to a height. */
async function sourceData(
  { name, kind, columns, assumed }: ChainSource,
  folder: string,
  journal: PartJournal,
  lastHeight: number | undefined,
  signal: AbortSignal,
): Promise<SourceData> {
  const parts = journal.parts.filter(
    ({ first, files }) => files !== undefined && (lastHeight === undefined || first <= lastHeight),
  );
  const hash = hashSource(columns);
  const misfits = journal.parts
    .flatMap((part) => part.misfits ?? [])
    .filter(({ height }) => lastHeight === undefined || height <= lastHeight);
  const read = journal.parts.filter(({ first, compared }) => first <= (lastHeight ?? first) && compared !== undefined);
  let [compared, blocks, rows] = [0, 0, 0];
  for (const part of read) {
    compared += part.compared ?? 0;
    blocks += part.last - part.first + 1;
  }
  for (const part of parts) {
    await requireUndamaged(folder, part, signal);
    const lines = await readFile(partPath(folder, "digests", partName(part)), "utf8");
    const isWhole = lastHeight === undefined || part.last <= lastHeight;
    const counted = isWhole ? lines : linesUpTo(lines, lastHeight);
    hash.update(counted);
    rows += isWhole ? part.rows : countRows(counted);
  }
  return {
    name,
    kind,
    columns,
    ...partFiles(folder, parts.map(partName)),
    lastHeight,
    rows,
    digest: hash.digest("hex"),
    assumed,
    misfits: misfits.length === 0 ? undefined : misfits,
    compared: blocks === 0 ? undefined : { compared, blocks },
  };
}

async function requireUndamaged(folder: string, part: StoredPart, signal: AbortSignal): Promise<void> {
  for (const name of partFolders) {
    const path = partPath(folder, name, partName(part));
    if ((await digestFile({ name: path, path }, { signal })).sha256 !== part.files?.[name]) throw dataInvalid(path);
  }
}

async function requireSameChain(
  node: RollupNode,
  newest: StoredPart | undefined,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  if (newest === undefined) return;
  const { hash } = await readBlockHead(node, newest.last, signal);
  if (hash === newest.lastHash) return;
  throw new VipError(
    `${endpointOf(node)} has another block ${newest.last} than the one that the stored data were read from`,
    {
      code: "CHAIN_RESTARTED",
      metaMessages: [`If the chain was reset, remove ${folder} and try again.`],
    },
  );
}

/** Blocks after which a part is finished, however few rows they have. */
const maxBlocks = 100_000;

interface ReadIntoPartsOptions {
  readonly journal: PartJournal;
  /** The blocks that are not stored yet. */
  readonly range: BlockRange;
  readonly folder: string;
  /** Called after each part that the source yields, with the number of its rows. */
  readonly onPart: (range: BlockRange, rows: number) => void;
  readonly signal: AbortSignal;
}

interface OpenPart extends BlockRange {
  readonly lastHash: string;
  readonly misfits: readonly Misfit[];
  readonly compared: number | undefined;
}

/**
 * Reads blocks of a source and stores their rows. Small parts are joined, so that a long range without many rows becomes few
 * files. What was read before a failure is stored before that is thrown.
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
  const finish = async ({ first, last, lastHash, misfits, compared }: OpenPart): Promise<void> => {
    await written;
    const { rows } = writer;
    open = undefined;
    written = (async () => {
      const name = partName({ first, last });
      const files = rows === 0 ? undefined : await writer.finish(name, digests.take());
      await journal.add({ first, last, lastHash, rows, compared, files, ...(misfits.length === 0 ? {} : { misfits }) });
    })();
    // It is awaited later, and fails there.
    written.catch(() => undefined);
  };
  try {
    const left = journal.parts.flatMap((part) => part.misfits ?? []);
    for await (const { first, last, lastHash, rows, misfits = [], ...part } of source.read(range, signal)) {
      left.push(...misfits);
      requireFew(source, left);
      await writer.add(rows);
      digests.add(rows);
      const compared = part.compared === undefined ? undefined : (open?.compared ?? 0) + part.compared;
      open = { first: open?.first ?? first, last, lastHash, compared, misfits: [...(open?.misfits ?? []), ...misfits] };
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
 */
async function removeUnlisted(folder: string, parts: readonly StoredPart[]): Promise<void> {
  for (const name of partFolders) {
    const listed = new Set(parts.map((part) => basename(partPath(folder, name, partName(part)))));
    for (const file of await readdir(join(folder, name))) {
      if (isPartFile(file) && !listed.has(file)) await rm(join(folder, name, file));
    }
  }
}
