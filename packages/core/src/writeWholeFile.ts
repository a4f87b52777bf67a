import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";

/**
 * Writes a file completely or not at all: a reader, or a run after a crash, finds the old content or the new one, never a part.
 *
 * @param content Text, bytes, or pieces of text; if these throw, the file is unchanged.
 * @throws Error of the system, with a `code` such as `ENOSPC`.
 */
export async function writeWholeFile(
  file: string,
  content: string | Uint8Array | AsyncIterable<string>,
): Promise<void> {
  const aside = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(aside, content, { flag: "wx" });
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => undefined);
    throw error;
  }
}
