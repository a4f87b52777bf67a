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
