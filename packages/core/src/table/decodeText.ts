import { isAscii } from "node:buffer";
import { TextDecoder } from "node:util";
import { InputError, systemErrorCode, type IssueLog } from "../errors/inputError.ts";
import { readInputFile } from "../inputFile.ts";

const lastAscii = 0x7f;

/** Decodes the bytes of a file as UTF-8 text, without the byte-order mark. */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  issues: IssueLog,
  signal?: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let offset = 0;
  let mayBeInsideCharacter = false;
  let isAtStart = true;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    if (chunk.length === 0) continue;
    let text: string;
    if (offset === 0 && isUtf16(chunk)) {
      issues.fail("FILE_BINARY", "is UTF-16 or binary, not UTF-8; save it as UTF-8 (in Excel: CSV UTF-8)");
    }
    const nul = chunk.indexOf(0);
    if (nul >= 0) {
      issues.fail("FILE_BINARY", `is not text: byte ${offset + nul + 1} is NUL; save it as UTF-8 text`);
    }
    // Nearly every file is ASCII, which needs no decoder.
    if (!mayBeInsideCharacter && isAscii(chunk))
      text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
    else text = decode(decoder, chunk, offset, issues);
    mayBeInsideCharacter = (chunk.at(-1) ?? 0) > lastAscii;
    offset += chunk.length;
    if (isAtStart && text !== "") {
      isAtStart = false;
      if (text.startsWith("\uFEFF")) text = text.slice(1);
    }
    if (text !== "") yield text;
  }
  signal?.throwIfAborted();
  if (mayBeInsideCharacter) decode(decoder, undefined, offset, issues);
}

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, offset: number, issues: IssueLog): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    const place = chunk === undefined ? "its end" : `bytes ${offset + 1} to ${offset + chunk.length}`;
    return issues.fail("FILE_BINARY", `is not UTF-8 text: invalid at ${place}; save it as UTF-8 text`);
  }
}

/** True for the byte-order mark of UTF-16, in either byte order; UTF-8 text never contains its first byte. */
function isUtf16(chunk: Uint8Array): boolean {
  return chunk[0] === 0xff || chunk[0] === 0xfe;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist; give the path of a score file",
  EISDIR: "is a directory; give the path of a score file",
  EACCES: "may not be read by this user; change its permissions",
  EPERM: "may not be read by this user; change its permissions",
};

export async function* fileChunks(file: string, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  signal?.throwIfAborted();
  try {
    yield* readInputFile(file, file, { signal, mayBePipe: true });
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof InputError) throw cause;
    const code = systemErrorCode(cause);
    throw new InputError(`${file} ${reasons[code] ?? `cannot be read (${code})`}`, { code: "FILE_UNREADABLE", cause });
  }
}
