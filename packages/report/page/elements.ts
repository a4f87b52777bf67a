/** Returns the element with an ID. @throws Error if the page has none of this class. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.querySelector(`#${id}`);
  if (element instanceof type) return element;
  throw new Error(`the page has no ${id}`);
}

/** Creates an element with a text, which is never read as markup. */
export function create<K extends keyof HTMLElementTagNameMap>(
  name: K,
  text: string,
  className = "",
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  element.textContent = text;
  if (className !== "") element.className = className;
  return element;
}

const grouped = new Intl.NumberFormat("en-US");

/** Formats a whole number: `4,812,345`. */
export function group(value: bigint | number): string {
  return grouped.format(value);
}

/** Formats a part of a whole in percent with four decimals, rounded down. */
export function percent(part: bigint, whole: bigint): string {
  return `${whole === 0n ? "0" : Number((part * 1_000_000n) / whole) / 10_000} %`;
}
