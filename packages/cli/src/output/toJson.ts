/** What JSON leaves as it is and a terminal would obey: DEL, the C1 controls, and what turns the direction of a line. */
const unescaped = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * JSON with bigints as decimal strings, because a u64 does not fit a JavaScript number, and every text passed through
 * `clean`. Whatever would steer a terminal or a CI system is escaped, so that the text can be printed.
 */
export function toJson(value: object, clean: (text: string) => string): string {
  const text = JSON.stringify(value, (_, item: unknown) => {
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
