import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";
import { publicPackages } from "@vipscore/testkit/publicPackages";
import { root } from "./repositoryLinks.ts";

/** The folder of the pages. */
export const docs = join(root, "docs");

/** The folder of the pages that TypeDoc writes. */
export const apiPages = join(docs, "api");

const commandList = "cli/README";

/** The sections of the site, each with its pages in their order. */
const sections = {
  Guide: ["operator", "policy", "contracts", "pages", "indexer"],
  Reference: [commandList, "cli/settings", "cli/files", "cli/signing", "cli/output", "errors"],
  Contracts: ["spec", "security", "performance", "compatibility"],
  Internals: ["architecture", "vipnode", "fidelity", "guidelines"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * Returns the sidebar; each entry is named by the page's own heading. Pages that no section names come by themselves: those of
 * docs/cli below the list of commands, those of other folders in the guide, the rest at the end.
 */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const named = new Set<string>(Object.values(sections).flat());
  const unnamed = readdirSync(docs, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && path !== "index.md" && !path.startsWith("api/"))
    .map((path) => path.replace(/\.md$/, ""))
    .filter((page) => !named.has(page))
    .sort();
  const commands = unnamed.filter((page) => page.startsWith("cli/"));
  const more: Readonly<Record<string, readonly string[]>> = {
    Guide: unnamed.filter((page) => page.includes("/") && !page.startsWith("cli/")),
    Internals: unnamed.filter((page) => !page.includes("/")),
  };
  const packages = publicPackages(root)
    .flatMap(({ entries }) => entries)
    // The longest would not fit with the scope.
    .map(({ specifier }) => ({ text: specifier.replace("@vipscore/", ""), link: `/api/${specifier}` }));
  const api = { text: "Packages", link: "/api/", collapsed: true, items: packages };
  return Object.entries(sections).map(([text, pages]) => ({
    text,
    items: [
      ...[...pages, ...(more[text] ?? [])].map((page) => entry(page, page === commandList ? commands : [])),
      ...(text === "Reference" ? [api] : []),
    ],
  }));
}

/** @param below Pages to show below this one while its list is open. */
function entry(page: string, below: readonly string[] = []): DefaultTheme.SidebarItem {
  return {
    text: headingOf(page).replace(/^vipscore /, ""),
    link: linkTo(page),
    ...(below.length > 0 && { collapsed: true, items: below.map((other) => entry(other)) }),
  };
}

function linkTo(page: string): string {
  return `/${page.replace(/README$/, "")}`;
}

function headingOf(page: string): string {
  const [, heading] = /^# (.*)$/m.exec(readFileSync(join(docs, `${page}.md`), "utf8")) ?? [];
  if (heading === undefined) throw new Error(`docs/${page}.md has no heading`);
  return heading.replaceAll("*", "");
}
