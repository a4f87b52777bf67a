import { readFileSync } from "node:fs";
import { valueAt } from "./files/valueAt.ts";

/** Returns the version of this package. */
export function ownVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return String(valueAt(JSON.parse(text), "version"));
}
