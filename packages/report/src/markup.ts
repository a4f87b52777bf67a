/** Markup whose texts are escaped. */
export class Markup {
  readonly text: string;

  /** @param text - Markup that is known to be safe. Use {@link markup} for everything with a value in it. */
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | bigint | Markup | readonly Markup[];

/** Returns markup with its values escaped, except those that are markup. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0] ?? "";
  for (const [index, part] of parts.entries()) text += renderPart(part) + (strings[index + 1] ?? "");
  return new Markup(text);
}

function renderPart(part: Part): string {
  if (part instanceof Markup) return part.text;
  return typeof part === "object" ? part.map(({ text }) => text).join("") : escapeText(String(part));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes markup; replaces control and format characters, which could reverse a line, with U+FFFD. */
function escapeText(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] ?? "")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

/** Returns JSON for a data block: no text in it can end the block. */
export function jsonBlock(value: object): Markup {
  return new Markup(JSON.stringify(value).replaceAll("<", String.raw`\u003c`));
}

/** A row of named values. A number that is too wide breaks after a separator. */
export function tiles(values: readonly (readonly [name: string, value: string])[]): Markup {
  const items = values.map(([name, value]) => {
    const [first = "", ...groups] = value.split(",");
    return markup`<div class="tile"><dt>${name}</dt><dd>${first}${groups.map((group) => markup`,<wbr>${group}`)}</dd></div>`;
  });
  return markup`<dl class="tiles">${items}</dl>`;
}
