import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { dirname } from "node:path/posix";

/** A file of a packed package. */
export interface PackedFile {
  /** Relative to the package. */
  readonly path: string;
  readonly content: Buffer;
}

/** Reads the files of an unpacked package, by path. */
export async function readPackedFiles(folder: string): Promise<readonly PackedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    paths.sort().map(async (path) => ({ path: relative(folder, path), content: await readFile(path) })),
  );
}

/**
 * Lists a package's files with their bytes. What the compiler reads and writes is one line for each of `src` and `dist`, because
 * each of these files is compared with its source.
 */
export function listPacked(files: readonly PackedFile[]): string {
  const lines = new Map<string, { readonly count: number; readonly bytes: number }>();
  for (const { path, content } of files) {
    const [top = ""] = dirname(path).split("/");
    const line = top === "src" || top === "dist" ? `${top}/` : path;
    const { count, bytes } = lines.get(line) ?? { count: 0, bytes: 0 };
    lines.set(line, { count: count + 1, bytes: bytes + content.length });
  }
  return [...lines]
    .map(([line, { count, bytes }]) => {
      const number = bytes.toLocaleString("en-US").padStart(12);
      return `${number}  ${line}${line.endsWith("/") ? ` (${count} files)` : ""}`;
    })
    .join("\n");
}
