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
