/** Strings, with the colon behind a key, and what opens or closes an object. A string's characters need no backtracking. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g;

/**
 * Finds a key that stands twice in one object of a JSON text: each reader of such a text may see another value.
 *
 * @param json - A text that `JSON.parse` takes.
 * @returns the first such key, with its escapes resolved; undefined if there is none.
 */
export function findRepeatedKey(json: string): string | undefined {
  const objects: Set<string>[] = [];
  for (const [token, string, colon] of json.matchAll(tokens)) {
    if (token === "{") objects.push(new Set());
    else if (token === "}") objects.pop();
    else if (string !== undefined && colon !== undefined) {
      // Escapes give one key several spellings.
      const key = string.includes("\\") ? String(JSON.parse(string)) : string.slice(1, -1);
      const keys = objects.at(-1);
      if (keys?.has(key) === true) return key;
      keys?.add(key);
    }
  }
  return undefined;
}
