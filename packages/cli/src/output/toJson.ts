/**
 * JSON with bigints as decimal strings, because a u64 does not fit a JavaScript number, and every text passed through
 * `clean`.
 */
export function toJson(value: object, clean: (text: string) => string): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === "bigint") return item.toString();
    return typeof item === "string" ? clean(item) : item;
  });
}
