/** Makes a node's text safe as part of a file name: characters other than letters, digits, `.`, `_` and `-` become `_`. */
export function fileNamePart(text: string): string {
  return text.replaceAll(/[^\w.-]/g, "_");
}
