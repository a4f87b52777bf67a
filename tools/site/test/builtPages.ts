import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** A page of the built site. */
export interface BuiltPage {
  /** Path on the site, without a slash at the start: `cli/push.html`. */
  readonly path: string;
  readonly html: string;
  /** The anchors that links can name. */
  readonly ids: ReadonlySet<string>;
}

/** Reads all pages of a built site. */
export function readBuiltPages(folder: string): readonly BuiltPage[] {
  return listBuilt(folder, ".html").map((path) => {
    const html = readFileSync(join(folder, path), "utf8");
    return { path, html, ids: new Set(attributes(html, "[a-z][a-z0-9]*", "id")) };
  });
}

/** Lists the files of a built site whose names end so, relative to its folder. */
export function listBuilt(folder: string, end: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(end))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/**
 * Returns the links of a page that lead nowhere on the site: no such file, or no such anchor on the page. Links to other
 * sites are not followed.
 *
 * @param files Paths of all files of the site.
 */
export function findDeadLinks(
  page: BuiltPage,
  pages: ReadonlyMap<string, BuiltPage>,
  files: ReadonlySet<string>,
): readonly string[] {
  return attributes(page.html, "a", "href").flatMap((href) => {
    const { host, pathname, hash } = new URL(href, `http://site.test/${page.path}`);
    if (host !== "site.test") return [];
    const path = decodeURIComponent(pathname.slice(1)).replace(/(^|\/)$/, "$1index.html");
    if (!files.has(path)) return [`${page.path}  ${href}  is missing`];
    const anchor = decodeURIComponent(hash.slice(1));
    const exists = anchor === "" || pages.get(path)?.ids.has(anchor) === true;
    return exists ? [] : [`${page.path}  ${href}  has no such heading`];
  });
}

/** Returns what a page loads from other hosts: all of `src`, `srcset`, and the `href` of what is not a link to click. */
export function findForeignLoads({ path, html }: BuiltPage): readonly string[] {
  const loads = [
    ...attributes(html, "[a-z][a-z0-9]*", "src"),
    ...attributes(html, "[a-z][a-z0-9]*", "srcset"),
    ...attributes(html, "(?:link|use|image|base)", "href"),
  ];
  return loads.filter((url) => /^(?:[a-z][a-z+.-]*:)?\/\//i.test(url)).map((url) => `${path}  ${url}`);
}

/** Returns what a style sheet loads from other hosts. */
export function findForeignStyles(css: string): readonly string[] {
  return [...css.matchAll(/(?:@import\s+|url\()\s*["']?((?:https?:)?\/\/[^"')\s]+)/g)].map(([, url = ""]) => url);
}

function attributes(html: string, tag: string, name: string): readonly string[] {
  const pattern = new RegExp(`<${tag}\\b(?:[^>"]|"[^"]*")*?\\s${name}="([^"]*)"`, "gi");
  return [...html.matchAll(pattern)].map(([, value = ""]) => value.replaceAll("&amp;", "&"));
}
