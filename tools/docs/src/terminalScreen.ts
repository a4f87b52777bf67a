const escape = "\u001b";

/** Characters in a row that look the same. */
export interface StyledText {
  readonly text: string;
  /** The numbers of the select graphic rendition (SGR) codes in effect: 1 bold, 2 dim, 31 red, 32 green, 33 yellow, … */
  readonly styles: readonly number[];
}

interface Cell {
  readonly character: string;
  readonly styles: readonly number[];
}

/** An escape sequence with its code and command, or a single character. */
const sequenceOrCharacter = new RegExp(String.raw`${escape}\[([\d;]*)([A-Za-z])|[^]`, "gu");

/** The styles that each code turns off. */
const offCodes: Readonly<Record<number, (style: number) => boolean>> = {
  0: () => true,
  22: (style) => style === 1 || style === 2,
  39: (style) => style >= 30 && style <= 37,
};

/**
 * Returns the lines that a terminal shows after a program wrote `output`, with styles, line feeds, carriage returns and erased
 * lines applied.
 *
 * @throws Error for an unknown escape sequence, because the picture would differ from the terminal.
 */
export function readTerminalScreen(output: string): readonly (readonly StyledText[])[] {
  const lines: Cell[][] = [[]];
  let column = 0;
  let styles: readonly number[] = [];
  for (const [piece, code, command] of output.matchAll(sequenceOrCharacter)) {
    const line = lines.at(-1) ?? [];
    if (command === "m") styles = applyStyle(styles, Number(code));
    else if (command === "K" && code === "2") line.length = 0;
    else if (command !== undefined || piece === escape)
      throw new Error(`unknown escape sequence ${JSON.stringify(piece)}`);
    else if (piece === "\r") column = 0;
    else if (piece === "\n") {
      lines.push([]);
      column = 0;
    } else {
      while (line.length < column) line.push({ character: " ", styles: [] });
      line[column] = { character: piece, styles };
      column += 1;
    }
  }
  if (lines.at(-1)?.length === 0) lines.pop();
  return lines.map(joinCells);
}

function applyStyle(styles: readonly number[], code: number): readonly number[] {
  const isOff = offCodes[code];
  return isOff === undefined ? [...styles, code] : styles.filter((style) => !isOff(style));
}

function joinCells(cells: readonly Cell[]): readonly StyledText[] {
  const runs: { text: string; readonly styles: readonly number[] }[] = [];
  for (const { character, styles } of cells) {
    const last = runs.at(-1);
    if (last !== undefined && last.styles.join() === styles.join()) last.text += character;
    else runs.push({ text: character, styles });
  }
  return runs;
}
