import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";
import { root } from "./repositoryUrl.ts";

/** The folder of the pages. */
export const docs = join(root, "docs");

const commandList = "cli/README";

/** The sections of the site, each with its pages in their order. Below the list of commands is a page for each. */
const sections = {
  Guide: ["operator", "policy"],
  Reference: [commandList, "cli/settings", "cli/files", "cli/signing", "cli/output", "errors"],
  Contracts: ["spec", "security", "performance"],
  Internals: ["architecture", "indexer", "vipnode", "fidelity", "guidelines"],
} as const;

/** Returns the sidebar; each entry is named by the page's own heading. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  return Object.entries(sections).map(([text, pages]) => ({
    text,
    items: pages.map((page) => ({
      text: headingOf(page),
      link: linkTo(page),
      ...(page === commandList && { collapsed: true, items: commands() }),
    })),
  }));
}

/** The pages of docs/cli that no section names: one for each command. */
function commands(): DefaultTheme.SidebarItem[] {
  const named: readonly string[] = sections.Reference;
  return readdirSync(join(docs, "cli"))
    .map((file) => `cli/${file.replace(/\.md$/, "")}`)
    .filter((page) => !named.includes(page))
    .sort()
    .map((page) => ({ text: headingOf(page).replace(/^vipscore /, ""), link: linkTo(page) }));
}

function linkTo(page: string): string {
  return `/${page.replace(/README$/, "")}`;
}

function headingOf(page: string): string {
  const [, heading] = /^# (.*)$/m.exec(readFileSync(join(docs, `${page}.md`), "utf8")) ?? [];
  if (heading === undefined) throw new Error(`docs/${page}.md has no heading`);
  return heading;
}
