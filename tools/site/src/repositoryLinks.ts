import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { dirname, normalize } from "node:path/posix";
import type { MarkdownRenderer } from "vitepress";

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
 * Makes the links of docs/ work on the site. `README.md` becomes the folder's page. A link to what is not a page of docs/
 * becomes a link to the file in the repository; without the repository's address, a package becomes the page of its API, and of a file
 * the text stays and the path follows in parentheses, from the name of its npm package if it has one.
 */
export function repositoryLinks(markdown: MarkdownRenderer, repository: string | undefined): void {
  markdown.core.ruler.push("repository-links", ({ tokens, Token, env }) => {
    const { relativePath } = env as { readonly relativePath: string };
    for (const { type, children } of tokens) {
      if (type !== "inline" || children === null) continue;
      // Links do not nest, so the next end is that of the link.
      let outside: string | undefined;
      for (const [index, token] of children.entries()) {
        const href = token.type === "link_open" ? token.attrGet("href") : null;
        if (href !== null && !/^([a-z][a-z+.-]*:|#)/i.test(href)) {
          const path = normalize(join("docs", dirname(relativePath), href));
          if (/^docs\/.*\.md(#|$)/.test(path))
            token.attrSet("href", href.replace(/(^|\/)README\.md(?=#|$)/, "$1index.md"));
          else if (repository !== undefined) token.attrSet("href", fileUrl(repository, path));
          else if (/^packages\/[\w-]+$/.test(path)) token.attrSet("href", path.replace("packages", "/api/@vipscore"));
          else {
            outside = path.replace(/#.*/, "").replace(/^contracts\//, "node_modules/@vipscore/contracts-");
            children[index] = new Token("text", "", 0);
          }
        } else if (token.type === "link_close" && outside !== undefined) {
          const code = Object.assign(new Token("html_inline", "", 0), { content: ` (<code>${outside}</code>)` });
          children[index] = code;
          outside = undefined;
        }
      }
    }
  });
}

/**
 * Returns the web address of a file or folder.
 *
 * @param path Path relative to the root of the repository; may end with an anchor.
 */
function fileUrl(repository: string, path: string): string {
  const [file = ""] = path.split("#");
  const kind = statSync(join(root, file)).isDirectory() ? "tree" : "blob";
  return `${repository}/${kind}/main/${path}`;
}

/**
 * Returns the anchor that GitHub gives to a heading, so that one link works there and on the site.
 *
 * @param heading Text of the heading, without Markdown.
 */
export function githubSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .replaceAll(" ", "-");
}
