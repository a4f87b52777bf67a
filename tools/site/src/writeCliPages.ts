import { rm, writeFile } from "node:fs/promises";
import { readCliPages } from "./cliPages.ts";

// Writes the generated part of each page of docs/cli, and removes the pages of commands that no longer exist.
for (const { path, wanted } of await readCliPages()) {
  if (wanted === undefined) await rm(path);
  else await writeFile(path, wanted);
}
