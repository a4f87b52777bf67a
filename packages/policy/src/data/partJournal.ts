import { fsync } from "node:fs";
import { appendFile, mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemErrorCode, VipError } from "@vipscore/core";
import { isObject, parseObject } from "@vipscore/core/wire";
import type { BlockRange } from "../chain/chainSource.ts";
import type { Misfit } from "../sources/policySource.ts";
import type { PartHashes } from "./partWriter.ts";

export interface StoredPart extends BlockRange {
  /** The hash of the last block, lower-case hex. */
  readonly lastHash: string;
  readonly rows: number;
  /** SHA-256 of its files, in hex; undefined for a part without rows, which has none. */
  readonly files: PartHashes | undefined;
  /** Events that are no rows because they do not fit; absent if all fit. */
  readonly misfits?: readonly Misfit[] | undefined;
  /** Number of its blocks whose logs were compared with their bloom filters; absent for other things than logs. */
  readonly compared?: number | undefined;
}

/** Name of the file that lists the parts, one JSON object a line. */
export const journalName = "parts.jsonl";

/**
 * The list of a source's stored parts. A part counts once its line is complete: its files are written before, so that a kill in
 * between leaves files that are written again.
 */
export class PartJournal {
  readonly #path: string;
  readonly #parts: StoredPart[];

  private constructor(path: string, parts: StoredPart[]) {
    this.#path = path;
    this.#parts = parts;
  }

  /** Opens the list of a folder, or creates both. Drops a last line that a kill cut off; other damage is `DATA_INVALID`. */
  static async open(folder: string, first: number): Promise<PartJournal> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, journalName);
    const text = await readIfThere(path);
    const end = text.lastIndexOf("\n") + 1;
    if (end < text.length) await truncate(path, Buffer.byteLength(text.slice(0, end)));
    const parts: StoredPart[] = [];
    for (const line of text.slice(0, end).split("\n").slice(0, -1)) {
      const part = readLine(line);
      const expected = (parts.at(-1)?.last ?? first - 1) + 1;
      if (part === undefined || part.first !== expected || part.last < part.first) throw dataInvalid(path);
      parts.push(part);
    }
    return new PartJournal(path, parts);
  }

  /** The parts, ascending and without gaps. */
  get parts(): readonly StoredPart[] {
    return this.#parts;
  }

  async add(part: StoredPart): Promise<void> {
    await appendFile(this.#path, `${JSON.stringify(part)}\n`, { flush: true });
    this.#parts.push(part);
  }
}

export function dataInvalid(path: string): VipError {
  return new VipError(`${path} is damaged`, {
    code: "DATA_INVALID",
    metaMessages: ["Remove its folder and try again: everything in it is read from the chain once more."],
  });
}

/** Reads a file; an empty text if it is missing. */
export async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return "";
    throw error;
  }
}

async function truncate(path: string, bytes: number): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.truncate(bytes);
    // A handle of Yarn's Plug'n'Play has no `sync`.
    await promisify(fsync)(file.fd);
  } finally {
    await file.close();
  }
}

function readLine(line: string): StoredPart | undefined {
  const { first, last, lastHash, rows, files, misfits: left, compared } = parseObject(line) ?? {};
  if (!isBlockHeight(first) || !isBlockHeight(last) || !isBlockHeight(rows) || typeof lastHash !== "string")
    return undefined;
  const misfits = left === undefined ? [] : readMisfits(left);
  if (misfits === undefined) return undefined;
  const counted = isBlockHeight(compared) ? compared : undefined;
  const part = { first, last, lastHash, rows, compared: counted, ...(misfits.length === 0 ? {} : { misfits }) };
  if (rows === 0) return { ...part, files: undefined };
  const hashes = readHashes(files);
  return hashes && { ...part, files: hashes };
}

function readMisfits(value: unknown): readonly Misfit[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const misfits = value.flatMap((item: unknown) => {
    const { height, transaction, event } = isObject(item) ? item : {};
    const isMisfit = isBlockHeight(height) && isBlockHeight(event) && typeof transaction === "string";
    return isMisfit ? [{ height, transaction, event }] : [];
  });
  return misfits.length === value.length ? misfits : undefined;
}

function readHashes(value: unknown): PartHashes | undefined {
  if (!isObject(value)) return undefined;
  const { rows, reversed, digests } = value;
  if (typeof rows !== "string" || typeof reversed !== "string" || typeof digests !== "string") return undefined;
  return { rows, reversed, digests };
}

function isBlockHeight(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** The name of a part's files, without their ending. */
export function partName({ first, last }: BlockRange): string {
  return `part-${first}-${last}`;
}
