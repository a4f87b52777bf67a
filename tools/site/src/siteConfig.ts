import { createHash } from "node:crypto";
import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DefaultTheme, MarkdownEnv, UserConfig } from "vitepress";
import { llmsText } from "./llmsText.ts";
import { githubSlug, repositoryLinks, repositoryUrl, root } from "./repositoryLinks.ts";
import { docs, sidebar } from "./sidebar.ts";

/** The folder of the built site. */
export const builtSite = join(root, "tools/site/.build/site");

/**
 * Returns the configuration of the site.
 *
 * @param env `SITE_BASE`: the path below which the site is served, with a slash at both ends. Default: `/`.
 */
export function siteConfig(env: NodeJS.ProcessEnv): UserConfig<DefaultTheme.Config> {
  const repository = repositoryUrl();
  const title = "vipscore";
  const description =
    "Deploy the VIP scoring contract of an Initia rollup, push the scores of each stage, prove them, finalize";
  const base = env["SITE_BASE"] ?? "/";
  return {
    lang: "en-US",
    title,
    description,
    base,
    srcDir: docs,
    outDir: builtSite,
    cacheDir: join(root, "tools/site/.build/cache"),
    rewrites: (path) => path.replace(/README\.md$/, "index.md"),
    markdown: {
      // The comments of the default themes are too pale.
      theme: { light: "github-light-high-contrast", dark: "github-dark-default" },
      anchor: { slugify: githubSlug },
      config: (markdown) => repositoryLinks(markdown, repository),
    },
    transformPageData: ({ relativePath }) =>
      relativePath === "index.md" ? { frontmatter: { layout: "home" } } : undefined,
    transformHtml: addContentPolicy,
    buildEnd: async ({ outDir }) => {
      await writeFile(join(outDir, "llms.txt"), llmsText(title, description, base));
      const command = join(root, "packages/cli");
      const schemas = (await readdir(command)).filter((name) => name.endsWith(".schema.json"));
      await Promise.all(schemas.map((name) => copyFile(join(command, name), join(outDir, name))));
    },
    themeConfig: {
      nav: [
        { text: "Guide", link: "/operator" },
        { text: "Commands", link: "/cli/", activeMatch: "^/cli/" },
        { text: "API", link: "/api/", activeMatch: "^/api/" },
        { text: "Errors", link: "/errors" },
        { text: "Spec", link: "/spec" },
        ...(repository === undefined ? [] : [{ text: "Source", link: repository }]),
      ],
      sidebar: sidebar(),
      outline: [2, 3],
      search: { provider: "local", options: { _render: searchedHtml } },
      notFound: {
        title: "This page does not exist",
        quote: "It may have a new name: search for it, or start at the home page.",
        linkLabel: "Home page",
        linkText: "Home page",
      },
    },
  };
}

/**
 * Adds a Content Security Policy to a built page: whatever the page's code tries, its browser loads nothing from another
 * host, and runs no other script than those that were built.
 */
function addContentPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)];
  const hashes = inline.map(([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(" ")}`,
    // The colors of code are style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html.replace("<head>", `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`);
}

interface Renderer {
  render(source: string, env: MarkdownEnv): string;
}

/**
 * Returns what the search finds of a page: everything, but of the API only the headings, which are its names. With all its types, the
 * index would be several times as large.
 */
function searchedHtml(source: string, env: MarkdownEnv, markdown: Renderer): string {
  const isApi = env.relativePath.startsWith("api/");
  const searched = isApi ? source.split("\n").filter((line) => /^#{1,3} /.test(line)) : [source];
  return markdown.render(searched.join("\n\n"), env);
}
