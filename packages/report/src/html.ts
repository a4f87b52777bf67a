/** Markup whose texts are escaped. */
export class Html {
  readonly markup: string;

  /** @param markup - Markup that is known to be safe. Use {@link html} for everything with a value in it. */
  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = string | number | bigint | Html | readonly Html[];

/**
 * Returns markup with its values escaped, except those that are markup.
 *
 * @example
 * html`<td>${token.symbol}</td>`;
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let markup = strings[0] ?? "";
  for (const [index, part] of parts.entries()) markup += markupOf(part) + (strings[index + 1] ?? "");
  return new Html(markup);
}

function markupOf(part: Part): string {
  if (part instanceof Html) return part.markup;
  return typeof part === "object" ? part.map(({ markup }) => markup).join("") : escapeText(String(part));
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
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

/** Returns JSON for a data block: no text in it can end the block. */
export function jsonBlock(value: object): Html {
  return new Html(JSON.stringify(value).replaceAll("<", String.raw`\u003c`));
}
