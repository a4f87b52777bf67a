/** A text of a node's as a part of a file's name: what is not a letter, a digit, `.`, `_` or `-` could lead to another folder. */
export function fileNamePart(text: string): string {
  return text.replaceAll(/[^\w.-]/g, "_");
}
