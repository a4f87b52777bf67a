import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Folders of workflows: those of this repository, and the examples for operators. */
const folders = [".github/workflows", "docs/ci"];

/** Lists the workflow files below a repository's root, relative to it. */
export function workflowFiles(root: string): readonly string[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((path) => path.endsWith(".yml"));
}
