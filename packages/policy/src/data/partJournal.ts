import { appendFile, mkdir, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { VipError } from "@vipscore/core";
import { count, Field, fields, list, optional } from "@vipscore/core/field";
import { parseObject, undefinedIf } from "@vipscore/core/wire";
import type { BlockRange } from "../chain/chainSource.ts";
import { isMissingFile } from "../files/policyFile.ts";
import type { Misfit } from "../sources/policySource.ts";
import { syncFile, type PartHashes } from "./partWriter.ts";

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
    if (end < text.length) {
      await truncate(path, Buffer.byteLength(text.slice(0, end)));
      await syncFile(path);
    }
    const parts: StoredPart[] = [];
    for (const line of text.slice(0, end).split("\n").slice(0, -1)) {
      const part = readPart(new Field(parseObject(line), path, () => dataInvalid(path)));
      const expected = (parts.at(-1)?.last ?? first - 1) + 1;
      const lacksFiles = part.rows > 0 && part.files === undefined;
      if (part.first !== expected || part.last < part.first || lacksFiles) throw dataInvalid(path);
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
  return (await undefinedIf(isMissingFile, readFile(path, "utf8"))) ?? "";
}

const readPart = fields({
  first: count,
  last: count,
  lastHash: anyText,
  rows: count,
  files: optional(fields({ rows: anyText, reversed: anyText, digests: anyText })),
  misfits: optional(list(fields({ height: count, transaction: anyText, event: count }))),
  compared: optional(count),
});

function anyText(field: Field): string {
  return typeof field.value === "string" ? field.value : field.failExpected("a text");
}

/** The name of a part's files, without their ending. */
export function partName({ first, last }: BlockRange): string {
  return `part-${first}-${last}`;
}
