/** A gap and what must stay together: an error's code, a number with what it counts, any other word. */
const piece = /(\s*)(\[[A-Z_]+, exit \d+\]|\d[\d.,]* [A-Za-z]\S*|\S+)/g;
/** What a terminal does not show: its own styles. */
// oxlint-disable-next-line no-control-regex -- they begin with an escape character
const styles = /\u001b\[[\d;]*m/g;

/**
 * Wraps lines at words for a terminal, and aligns what follows with the text after the line's label. A word that is longer than
 * a line, such as an address, gets one of its own: it is never split.
 *
 * @param columns Width of the terminal; Infinity leaves the text as it is.
 */
export function wrapLines(text: string, columns: number): string {
  if (columns === Infinity) return text;
  return text
    .split("\n")
    .map((line) => (widthOf(line) <= columns ? line : wrapLine(line, columns)))
    .join("\n");
}

/** Returns how many columns a text takes. */
function widthOf(text: string): number {
  return text.replace(styles, "").length;
}

function wrapLine(line: string, columns: number): string {
  const plain = line.replace(styles, "");
  const labelled = /^\s*\S.*?\s{2,}(?=\S)/.exec(plain)?.[0].length ?? columns;
  const indented = (/^\s*/.exec(plain)?.[0].length ?? 0) + 2;
  const indent = " ".repeat(labelled <= columns / 3 ? labelled : Math.min(indented, columns / 2));
  const lines: string[] = [];
  let current = "";
  for (const [, gap = "", word = ""] of line.matchAll(piece)) {
    const isFirst = current.trim() === "";
    if (isFirst || widthOf(current + gap + word) <= columns) {
      current += gap + word;
      continue;
    }
    lines.push(current);
    current = indent + word;
  }
  return [...lines, current].join("\n");
}
