import { rename, writeFile } from "node:fs/promises";

/** Writes a file so that a reader finds the old content or the new one, never a part. */
export async function writeWhole(file: string, content: Uint8Array | string): Promise<void> {
  const beside = `${file}.${process.pid}.new`;
  await writeFile(beside, content);
  await rename(beside, file);
}
