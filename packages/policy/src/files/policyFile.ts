import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { fileChanged, InputError, readInputFile, systemErrorCode, type SignalOptions } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import type { FileDigest } from "@vipscore/core/manifest";
import { policyInvalid } from "../policyError.ts";

export interface PolicyFile {
  /** Its path inside the policy's folder, with `/`. */
  readonly name: string;
  /** Absolute path, without symbolic links. */
  readonly path: string;
}

/** A file whose content belongs to the policy's digest. */
export interface HashedFile extends PolicyFile {
  /** SHA-256 of its content, of text with LF as line end, in hex. */
  readonly sha256: string;
}

/** Finds a file, as {@link findPolicyFile} does, and adds its content to the policy's digest. */
export type AddFile = (name: string, place: string) => Promise<HashedFile>;

/** Returns the absolute path of a policy's folder, without symbolic links. */
export async function findPolicyFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (cause) {
    throw new InputError(`policy folder ${quoteText(folder)} cannot be read (${systemErrorCode(cause)})`, {
      code: "FILE_UNREADABLE",
      cause,
    });
  }
}

/** Finds a file inside a policy's folder, an absolute path without symbolic links. `place`: where the policy names the file. */
export async function findPolicyFile(folder: string, name: string, place: string): Promise<PolicyFile> {
  const isPlain =
    name !== "" &&
    !isAbsolute(name) &&
    !/[\\\0]/.test(name) &&
    !name.split("/").some((part) => ["", ".", ".."].includes(part));
  if (!isPlain) throw policyInvalid(place, `is ${quoteText(name)}; give a file inside the policy's folder`);
  let path: string;
  try {
    path = await realpath(join(folder, name));
    if (!(await stat(path)).isFile()) throw policyInvalid(place, `is ${quoteText(name)}, which is not a regular file`);
  } catch (error) {
    throw error instanceof InputError ? error : fileUnreadable(name, error);
  }
  const inside = relative(folder, path);
  if (isAbsolute(inside) || inside === ".." || inside.startsWith(`..${sep}`)) {
    throw policyInvalid(place, `is ${quoteText(name)}, a link to a file outside the policy's folder`);
  }
  return { name, path };
}

/** Files of text, which git may check out with other line ends. */
const textFile = /\.(?:toml|sql|csv)$/i;

/**
 * Reads a file. Text comes with the line ends of Unix, so that a policy has one digest in every checkout.
 *
 * @throws InputError `FILE_CHANGED` after the last chunk, also if its digest is another one by now; `FILE_UNREADABLE`.
 */
export async function* readChunks(
  file: PolicyFile | HashedFile,
  { signal }: SignalOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const { name, path } = file;
  const hash = createHash("sha256");
  signal?.throwIfAborted();
  try {
    const chunks = readInputFile(path, name, { signal });
    for await (const chunk of textFile.test(name) ? withLineFeeds(chunks) : chunks) {
      if ("sha256" in file) hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof InputError ? error : fileUnreadable(name, error);
  }
  if ("sha256" in file && hash.digest("hex") !== file.sha256) throw fileChanged(name);
}

/** Replaces each CR LF by LF; drops a CR at the end, which some programs write before the LF that a last line lacks. */
async function* withLineFeeds(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let held = "";
  for await (const chunk of chunks) {
    const text = held + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
    held = text.endsWith("\r") ? "\r" : "";
    yield Buffer.from(text.slice(0, text.length - held.length).replaceAll("\r\n", "\n"), "latin1");
  }
}

/** Bytes at the end of a file in which its last line is looked for. */
const tailBytes = 4096;

/**
 * Computes the digest of a file without holding it in memory; of text, with LF as line end. `unended`: the last line, or its end, if
 * it has no line end; else empty.
 */
export async function digestFile(
  file: PolicyFile,
  options: SignalOptions = {},
): Promise<FileDigest & { readonly unended: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  let tail = Buffer.of();
  for await (const chunk of readChunks(file, options)) {
    hash.update(chunk);
    bytes += chunk.length;
    tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
  }
  return { bytes, sha256: hash.digest("hex"), unended: tail.toString("utf8").split("\n").at(-1) ?? "" };
}

export async function readText(file: PolicyFile, options: SignalOptions = {}): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(file, options)) {
    bytes += chunk.length;
    if (bytes > largestText) throw policyInvalid(file.name, "is larger than 1 MiB");
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw policyInvalid(file.name, "is not UTF-8 text", { cause });
  }
}

const largestText = 1_048_576;

/** True for the error of a file that does not exist. */
export function isMissingFile(error: unknown): boolean {
  return systemErrorCode(error) === "ENOENT";
}

function fileUnreadable(name: string, cause: unknown): InputError {
  const code = systemErrorCode(cause);
  const problem = code === "ENOENT" ? "does not exist in the policy's folder" : `cannot be read (${code})`;
  return new InputError(`${quoteText(name)} ${problem}`, { code: "FILE_UNREADABLE", cause });
}
