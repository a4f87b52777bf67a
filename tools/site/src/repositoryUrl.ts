import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The root of the repository. */
export const root = join(import.meta.dirname, "../../..");

/** Returns the web address of the repository that the root's package.json names; undefined if it names none. */
export function repositoryUrl(): string | undefined {
  const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly repository?: string | { readonly url: string };
  };
  const url = typeof repository === "object" ? repository.url : repository;
  return url
    ?.replace(/^git\+/, "")
    .replace(/^github:/, "https://github.com/")
    .replace(/\.git$/, "");
}

/**
 * Returns the web address of a file or folder.
 *
 * @param path Path relative to the root of the repository; may end with an anchor.
 */
export function fileUrl(repository: string, path: string): string {
  const [file = ""] = path.split("#");
  const kind = statSync(join(root, file)).isDirectory() ? "tree" : "blob";
  return `${repository}/${kind}/main/${path}`;
}
