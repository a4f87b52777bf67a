import { readTerminalScreen, type StyledText } from "./terminalScreen.ts";

/** Pixels per character. Every piece of text is stretched to it, so columns line up in any font. */
const characterWidth = 8.4;
const lineHeight = 20;
const fontSize = 14;
const padding = 20;
/** Height of the title bar. */
const barHeight = 36;

const background = "#161b22";
const foreground = "#e6edf3";
const colors: Readonly<Record<number, string>> = { 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341" };

/**
 * Draws the output of a program as a terminal window. The window has a dark background and a border, so it looks the same
 * on light and dark pages.
 *
 * @param output The program's output, with its escape sequences.
 * @param options.columns Width of the terminal in characters.
 * @param options.label The picture's description for screen readers.
 * @throws Error for an unknown escape sequence or a line that is wider than the terminal.
 */
export function drawTerminalSvg(
  output: string,
  options: { readonly columns: number; readonly title: string; readonly label: string },
): string {
  const lines = readTerminalScreen(output);
  const width = round(options.columns * characterWidth + 2 * padding);
  const height = barHeight + lines.length * lineHeight + padding;
  const rows = lines.flatMap((line, index) => {
    const top = barHeight + index * lineHeight + fontSize;
    return drawLine(line, top, options.columns);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(options.label)}">
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${background}" stroke="#8b949e" stroke-opacity="0.5"/>
<circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/><circle cx="60" cy="18" r="6" fill="#28c840"/>
<text x="${width / 2}" y="22" text-anchor="middle" font-family="system-ui, sans-serif" font-size="12" fill="#8b949e">${escapeXml(options.title)}</text>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}" fill="${foreground}" style="white-space: pre">
${rows.join("\n")}
</g>
</svg>
`;
}

function drawLine(line: readonly StyledText[], top: number, columns: number): readonly string[] {
  let column = 0;
  const drawn: string[] = [];
  for (const { text, styles } of line) {
    // Columns are separated by two or more spaces; a separate piece starts at its column in any font.
    for (const [piece] of text.matchAll(/ {2,}|█+|░+|(?:(?! {2,}|[█░])[^])+/gu)) {
      if (piece.trim() !== "") drawn.push(drawPiece(piece, styles, column, top));
      column += piece.length;
    }
  }
  if (column > columns) throw new Error(`a line has ${column} characters, the terminal ${columns}`);
  return drawn;
}

function drawPiece(text: string, styles: readonly number[], column: number, top: number): string {
  const left = round(padding + column * characterWidth);
  const width = round(text.length * characterWidth);
  // Not every font has the characters of a progress bar.
  const isFull = text.startsWith("█");
  if (isFull || text.startsWith("░")) {
    const opacity = isFull ? "" : ' opacity="0.25"';
    return `<rect x="${left}" y="${top - fontSize + 2}" width="${width}" height="${fontSize}"${opacity}/>`;
  }
  const color = styles.map((style) => colors[style]).find((found) => found !== undefined);
  const attributes = [
    `x="${left}"`,
    `y="${top}"`,
    `textLength="${width}"`,
    'lengthAdjust="spacingAndGlyphs"',
    ...(color === undefined ? [] : [`fill="${color}"`]),
    ...(styles.includes(1) ? ['font-weight="bold"'] : []),
    ...(styles.includes(2) ? ['opacity="0.65"'] : []),
  ];
  return `<text ${attributes.join(" ")}>${escapeXml(text)}</text>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
