import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { InputError, systemErrorCode, VipError } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import type { ManifestSource, ManifestWindow, ScoresManifest } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import type { PolicyChain } from "../chain/policyChain.ts";
import { readBlockHead, type BlockHead, type RollupNode } from "../chain/rollupNode.ts";
import { hashSource } from "../data/blockDigests.ts";
import { rowsText, type CollectedSource, type SourceBlocks, type SourceDigests } from "../sources/openSources.ts";
import type { Misfit } from "../sources/policySource.ts";
import type { AuditLog } from "./auditLog.ts";

export function auditRollup(
  { vm, chainId }: ScoresManifest["rollup"],
  chain: PolicyChain | undefined,
  log: AuditLog,
): void {
  if (vm !== chain?.node.vm) {
    const [then, now] = [vm, chain?.node.vm].map((name) => (name === undefined ? "no rollup" : `the ${name} VM`));
    log.differs("chain", "the rollup", `the manifest is for ${then}, but ${now} was read`);
  } else if (chain === undefined) log.notChecked("chain", `${chainId}: no source reads the rollup`);
  else if (chain.chainId === chainId) log.same("chain", `${chainId}, ${chain.node.vm}`);
}

export async function auditWindow(
  recorded: ManifestWindow | undefined,
  chain: PolicyChain | undefined,
  log: AuditLog,
  signal: AbortSignal,
): Promise<void> {
  const name = "the window";
  if (recorded === undefined && chain === undefined) return;
  if (recorded === undefined || chain === undefined) {
    const which = chain === undefined ? "the policy" : "the manifest";
    log.differs("window", name, `${which} has no window`);
    return;
  }
  const { length: before } = log.differences;
  for (const end of ["first", "last"] as const) {
    const { height, hash, time } = recorded[end];
    const resolved = chain.window[end];
    const found = resolved.height === height ? resolved : await findHeadOnNode(chain.node, height, signal);
    const block = `block ${group(height)}`;
    if (resolved.height !== height) {
      const now = `the policy's is now block ${group(resolved.height)}`;
      log.differs("window", name, `the ${end} block was ${group(height)}, and ${now}`);
    }
    if (found === undefined) log.differs("window", name, `the endpoint does not have ${block}`);
    else if (found.hash !== hash) log.differs("window", name, `${block} had the hash ${hash}, and has ${found.hash}`);
    else if (found.time !== time) log.differs("window", name, `${block} had the time ${time}, and has ${found.time}`);
  }
  if (log.differences.length > before) return;
  const { first, last } = recorded;
  log.same("window", `blocks ${group(first.height)} to ${group(last.height)}, with the same hashes`);
}

async function findHeadOnNode(node: RollupNode, height: number, signal: AbortSignal): Promise<BlockHead | undefined> {
  try {
    return await readBlockHead(node, height, signal);
  } catch (error) {
    if (VipError.isVipError(error) && error.code === "NODE_UNREACHABLE") return undefined;
    throw error;
  }
}

export function auditSources(
  recorded: readonly ManifestSource[],
  collected: readonly CollectedSource[],
  log: AuditLog,
): void {
  const found = new Map(collected.map((source) => [source.name, source]));
  for (const source of recorded) {
    const { name, kind, rows, misfits = [] } = source;
    const now = found.get(name);
    found.delete(name);
    if (now === undefined) {
      log.differs("source", `source ${name}`, `${name}: the policy does not have this source`);
    } else if (now.kind !== kind) {
      log.differs("source", `source ${name}`, `${name} had the kind ${kind}, and now has ${now.kind}`);
    } else if (now.digest !== source.sha256 || now.rows !== rows) {
      const [then, after] = [source, { rows: now.rows, sha256: now.digest }].map(
        (state) => `${count(state.rows, "row")}, sha256 ${shortDigest(state.sha256)}`,
      );
      log.differs("source", `source ${name}`, `${name} had ${then}; now ${after}`);
    } else if (JSON.stringify(misfits.map(placeOf)) !== JSON.stringify((now.misfits ?? []).map(placeOf))) {
      const [then, after] = [misfits, now.misfits ?? []].map((left) => count(left.length, "event"));
      log.differs("source", `source ${name}`, `${name} left out ${then} that did not fit; now ${after}, or other ones`);
    } else {
      log.same("source", `${name}, ${kind}, ${rowsText(now)}`);
    }
  }
  for (const name of found.keys()) {
    log.differs("source", `source ${name}`, `${name}: the manifest does not have this source`);
  }
}

function placeOf({ height, transaction, event }: Misfit): readonly unknown[] {
  return [height, transaction, event];
}

/**
 * Names the first block in which each source differs, if the digests of its blocks were published.
 *
 * @param folders The published folders of digests, in any order: they prove which source they are of.
 * @returns False if a source differs whose digests are in no folder.
 */
export async function auditBlocks(
  recorded: readonly ManifestSource[],
  { sources, blocks }: SourceDigests,
  folders: readonly string[],
  log: AuditLog,
): Promise<boolean> {
  const same = new Set(sources.map(({ name, digest }) => `${name} ${digest}`));
  let areKnown = true;
  for (const { name, sha256 } of recorded) {
    const source = blocks.get(name);
    if (source === undefined || same.has(`${name} ${sha256}`)) continue;
    let first: BlockDifference | "other" | undefined = "other";
    for (const folder of folders) {
      first = await findFirstDifference(source, folder, sha256);
      if (first !== "other") break;
    }
    if (first === "other") areKnown = false;
    else if (first !== undefined) log.differs("source", `source ${name}`, describeBlock(name, first));
  }
  return areKnown;
}

function describeBlock(name: string, { height, published, collected }: BlockDifference): string {
  return `${name} differs first in block ${group(height)}: it had ${rowCount(published)}; now ${rowCount(collected)}`;
}

function rowCount(block: BlockRows | undefined): string {
  return block === undefined ? "no row" : `${count(block.rows, "row")}, sha256 ${shortDigest(block.sha256)}`;
}

/** The rows of a block: how many, and their digest. See `BlockDigests`. */
interface BlockRows {
  readonly rows: number;
  readonly sha256: string;
}

/** The first block whose rows are not those that were published. */
interface BlockDifference {
  readonly height: number;
  /** Undefined if the published source has no rows in the block. */
  readonly published: BlockRows | undefined;
  /** Undefined if the collected source has none. */
  readonly collected: BlockRows | undefined;
}

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
 */
async function findFirstDifference(
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
