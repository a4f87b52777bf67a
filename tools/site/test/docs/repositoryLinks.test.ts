import { createMarkdownRenderer, disposeMdItInstance } from "vitepress";
import { expect, it } from "vitest";
import { githubSlug, repositoryLinks } from "../../src/repositoryLinks.ts";
import { docs } from "../../src/sidebar.ts";

async function render(text: string, repository?: string): Promise<string> {
  // It would return the renderer of the last call, with that one's repository.
  disposeMdItInstance();
  const markdown = await createMarkdownRenderer(docs, { config: (renderer) => repositoryLinks(renderer, repository) });
  return markdown.render(text, { relativePath: "cli/push.md" });
}

const text =
  "[module](../../contracts/move/README.md#state) [folder](../../tools) [package](../../packages/move) [picture](../push.svg) [list](README.md#more) [page](../spec.md)";

it("links what is not a page to the repository", async () => {
  const html = await render(text, "https://example.org/r");
  expect(html).toContain('href="https://example.org/r/blob/main/contracts/move/README.md#state"');
  expect(html).toContain('href="https://example.org/r/tree/main/tools"');
  expect(html).toContain('href="https://example.org/r/blob/main/docs/push.svg"');
});

it("names the path if the repository has no known address", async () => {
  const html = await render(text);
  expect(html).toContain(
    "module (<code>node_modules/@vipscore/contracts-move/README.md</code>) folder (<code>tools</code>)",
  );
  expect(html).toContain('href="/api/@vipscore/move.html"');
});

it("leads from README.md to the folder's page, and leaves other pages", async () => {
  const html = await render(text);
  expect(html).toMatch(/href="\.\/#more"/);
  expect(html).toMatch(/href="\.\/\.\.\/spec\.html"/);
});

it.each([
  ["1. See what is missing", "1-see-what-is-missing"],
  ["--json and STAGE_ZERO", "--json-and-stage_zero"],
])("githubSlug(%s)", (heading, slug) => {
  expect(githubSlug(heading)).toBe(slug);
});
