import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CheckError, type SignalOptions } from "@vipscore/core";
import type { BlockRange, ChainSource, SourcePart } from "../chain/chainSource.ts";
import { endpointOf, readBlockHead, type RollupNode } from "../chain/rollupNode.ts";
import { digestFile } from "../files/policyFile.ts";
import type { PolicySource, SourceRow } from "../sources/policySource.ts";
import { readPartFile, writePartFile } from "./partFile.ts";
import { dataInvalid, PartJournal, partName, type StoredPart } from "./partJournal.ts";

/** Rows, or blocks without a row, after which a part is stored. */
const maxRows = 25_000;
const maxBlocks = 100_000;

/** Progress of reading a source from the chain. */
export interface CollectProgress {
  readonly source: string;
  /** Height up to which its rows are known. */
  readonly height: number;
  readonly last: number;
  readonly rows: number;
}

/** The origin of a source, and where it is stored. */
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
 * `collect` throws errors of {@link ChainSource.read}; CheckError `CHAIN_RESTARTED` if the chain has another block than the stored
 * data were read from, `DATA_INVALID` for damaged files; Error of the system.
 */
export function storedSource(source: ChainSource, options: StoreOptions): PolicySource {
  const { name, kind, columns } = source;
  return { name, kind, columns, collect: (signalOptions) => collect(source, options, signalOptions) };
}

async function* collect(
  source: ChainSource,
  { node, chainId, window, folder, onProgress }: StoreOptions,
  { signal = new AbortController().signal }: SignalOptions = {},
): AsyncGenerator<readonly SourceRow[], void, undefined> {
  const { name, columns } = source;
  // Without heights, rows are of their window alone.
  const hasHeights = columns[0]?.name === "height";
  const range = hasHeights ? { first: window.first } : window;
  const described = JSON.stringify({ version: 2, chainId, ...range, source: source.identity, columns });
  const path = join(folder, createHash("sha256").update(described).digest("hex").slice(0, 32));
  const journal = await PartJournal.open(path, window.first);
  await writeFile(join(path, "source.json"), `${described}\n`);
  await requireSameChain(
    node,
    journal.parts.findLast(({ first }) => first <= window.last),
    path,
    signal,
  );
  let rows = 0;
  for (const part of journal.parts) if (part.first <= window.last) rows += part.rows;
  const report = (height: number): void =>
    onProgress?.({ source: name, height: Math.min(height, window.last), last: window.last, rows });
  const next = (journal.parts.at(-1)?.last ?? window.first - 1) + 1;
  report(next - 1);
  if (next <= window.last) {
    for await (const part of inLargeParts(source.read({ first: next, last: window.last }, signal))) {
      await store(path, journal, source, part);
      rows += part.rows.length;
      report(part.last);
    }
  }
  for (const { first, last, file, sha256 } of journal.parts) {
    if (file === undefined || first > window.last) continue;
    const stored = { name: join(path, file), path: join(path, file) };
    if ((await digestFile(stored, { signal })).sha256 !== sha256) throw dataInvalid(stored.path);
    for await (const batch of readPartFile(stored, columns, { signal })) {
      yield last <= window.last ? batch : batch.filter(([height]) => Number(height) <= window.last);
    }
  }
}

async function store(
  folder: string,
  journal: PartJournal,
  { columns }: ChainSource,
  { first, last, lastHash, rows }: SourcePart,
): Promise<void> {
  if (rows.length === 0) {
    await journal.add({ first, last, lastHash, rows: 0, file: undefined, sha256: undefined });
    return;
  }
  const file = partName({ first, last });
  const path = join(folder, file);
  await writePartFile(path, columns, rows);
  const { sha256 } = await digestFile({ name: path, path });
  await journal.add({ first, last, lastHash, rows: rows.length, file, sha256 });
}

/** Joins small parts, so that a long range without many rows becomes few files. Yields what there is before it throws. */
async function* inLargeParts(parts: AsyncIterable<SourcePart>): AsyncGenerator<SourcePart, void, undefined> {
  let joined: { first: number; last: number; lastHash: string; rows: SourceRow[] } | undefined;
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const { first, last, lastHash, rows } of parts) {
      joined ??= { first, last, lastHash, rows: [] };
      joined.last = last;
      joined.lastHash = lastHash;
      // One by one: a part can have more rows than a call takes arguments.
      for (const row of rows) joined.rows.push(row);
      if (joined.rows.length < maxRows && last - joined.first < maxBlocks) continue;
      yield joined;
      joined = undefined;
    }
  } catch (error) {
    failure = { error };
  }
  if (joined !== undefined) yield joined;
  if (failure !== undefined) throw failure.error;
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
  throw new CheckError(
    `${endpointOf(node)} has another block ${newest.last} than the one that the stored data were read from`,
    {
      code: "CHAIN_RESTARTED",
      metaMessages: [`If the chain was reset, remove ${folder} and run again.`],
    },
  );
}
