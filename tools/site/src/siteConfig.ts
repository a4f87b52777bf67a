import { join } from "node:path";
import type { DefaultTheme, UserConfig } from "vitepress";
import { addContentPolicy } from "./contentPolicy.ts";
import { githubSlug } from "./githubSlug.ts";
import { repositoryLinks } from "./repositoryLinks.ts";
import { repositoryUrl, root } from "./repositoryUrl.ts";
import { searchedHtml } from "./searchedHtml.ts";
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
  return {
    lang: "en-US",
    title: "vipscore",
    description:
      "Deploy the VIP scoring contract of an Initia rollup, push the scores of each stage, prove them, finalize",
    base: env["SITE_BASE"] ?? "/",
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
