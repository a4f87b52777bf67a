import { quoteText } from "./errors/quoteText.ts";

/** Strings, with the colon behind a key, and what opens or closes an object. A string's characters need no backtracking. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g;

/** The fault of a JSON text in which a key stands twice in one object, for which each reader sees another value. */
export class RepeatedKeyError extends Error {
  override readonly name = "RepeatedKeyError";

  /** @param key - The key, with its escapes resolved. */
  constructor(key: string) {
    super(`has the key ${quoteText(key)} twice in one object`);
  }
}

/**
 * Parses a JSON text that means the same to every reader.
 *
 * @throws RepeatedKeyError; SyntaxError if the text is not JSON.
 */
export function parseUniqueJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const objects: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(tokens)) {
    if (token === "{") objects.push(new Set());
    else if (token === "}") objects.pop();
    else if (string !== undefined && colon !== undefined) requireNew(objects.at(-1), string);
  }
  return value;
}

function requireNew(keys: Set<string> | undefined, string: string): void {
  // Escapes give one key several spellings.
  const key = string.includes("\\") ? String(JSON.parse(string)) : string.slice(1, -1);
  if (keys?.has(key) === true) throw new RepeatedKeyError(key);
  keys?.add(key);
}
