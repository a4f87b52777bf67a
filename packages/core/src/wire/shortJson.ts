/**
 * Writes the start of a value as JSON for a message, about as many characters as `longest`. Unlike `JSON.stringify` it takes
 * values of any depth and size: each level writes a bracket, so the length bounds the depth too.
 */
export function shortJson(value: unknown, longest: number): string {
  let text = "";
  const writeParts = (open: string, parts: Iterable<readonly [start: string, part: unknown]>, close: string): void => {
    text += open;
    for (const [start, part] of parts) {
      if (text.length >= longest) return;
      if (text.at(-1) !== open) text += ",";
      text += start;
      write(part);
    }
    text += close;
  };
  const write = (part: unknown): void => {
    if (text.length >= longest) return;
    if (typeof part === "string") text += JSON.stringify(part.slice(0, longest));
    else if (Array.isArray(part)) writeParts("[", elementsOf(part), "]");
    else if (typeof part === "object" && part !== null) writeParts("{", fieldsOf(part), "}");
    else text += String(part);
  };
  write(value);
  return text.slice(0, longest);
}

function* elementsOf(list: readonly unknown[]): Generator<readonly [string, unknown]> {
  for (const element of list) yield ["", element];
}

function* fieldsOf(object: object): Generator<readonly [string, unknown]> {
  // Not `Object.entries`, which would list a million fields of which ten are written.
  for (const name in object) yield [`${JSON.stringify(name.slice(0, 80))}:`, Reflect.get(object, name)];
}
