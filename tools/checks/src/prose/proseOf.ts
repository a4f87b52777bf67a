/**
 * Returns the prose of a file, every other character blanked so that lines keep their numbers: Markdown without its code,
 * or the comments of a source file without their marks. A phrase may run over several lines of a comment.
 *
 * A `//` within a string counts as a comment, unless it follows a scheme as in a URL.
 */
export function proseOf(path: string, text: string): string {
  const prose = path.endsWith(".md") ? text.replaceAll(/^ *(```+|~~~+)[^]*?^ *\1/gm, blank) : commentsOf(text);
  return prose.replaceAll(/`[^`\n]*`/g, blank);
}

function commentsOf(text: string): string {
  let prose = "";
  let end = 0;
  for (const { 0: comment, index } of text.matchAll(/(?<!\w:)\/\/.*|\/\*[^]*?\*\//g)) {
    prose += blank(text.slice(end, index)) + comment.replaceAll(/^\s*(\/\/[/!]?|\/?\*\*?\/?)/gm, spaces);
    end = index + comment.length;
  }
  return prose + blank(text.slice(end));
}

/** NUL is not white space, so that no phrase runs over it. */
function blank(text: string): string {
  return text.replaceAll(/\S/g, "\0");
}

function spaces(text: string): string {
  return text.replaceAll(/\S/g, " ");
}
