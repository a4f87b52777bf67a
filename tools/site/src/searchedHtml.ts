import type { MarkdownEnv } from "vitepress";

interface Renderer {
  render(source: string, env: MarkdownEnv): string;
}

/**
 * Returns what the search finds of a page: everything, but of the API only the headings, which are its names. With all its types, the
 * index would be several times as large.
 */
export function searchedHtml(source: string, env: MarkdownEnv, markdown: Renderer): string {
  const isApi = env.relativePath.startsWith("api/");
  const searched = isApi ? source.split("\n").filter((line) => /^#{1,3} /.test(line)) : [source];
  return markdown.render(searched.join("\n\n"), env);
}
