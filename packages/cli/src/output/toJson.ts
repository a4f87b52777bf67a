/** Characters that JSON does not escape and a terminal would obey: DEL, C1 controls, and those that reverse a line. */
const unescaped = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Returns JSON with bigints as decimal strings, because a u64 does not fit a JavaScript number, times in ISO form, undefined
 * as null, and every text passed through `clean`. Escapes control characters of terminals and commands of CI systems, so that the text can be printed.
 */
export function toJson(value: object, clean: (text: string) => string): string {
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (item === undefined) return null;
    if (typeof item === "bigint") return item.toString();
    return typeof item === "string" ? clean(item) : item;
  });
  return text.replace(unescaped, escapeUnits).replace(/##(?=\w*\[)/g, "\\u0023#");
}

function escapeUnits(character: string): string {
  let escaped = "";
  for (let index = 0; index < character.length; index += 1) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}
