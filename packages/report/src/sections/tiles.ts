import { markup, type Markup } from "../markup.ts";

/** A row of named values. */
export function tiles(values: readonly (readonly [name: string, value: string])[]): Markup {
  const items = values.map(([name, value]) => markup`<div class="tile"><dt>${name}</dt><dd>${value}</dd></div>`);
  return markup`<dl class="tiles">${items}</dl>`;
}
