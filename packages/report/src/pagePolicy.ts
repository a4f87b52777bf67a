import { createHash } from "node:crypto";
import { styles } from "./styles.ts";

/**
 * Returns the policy (CSP) of a page: nothing but its own script and the style sheet {@link styles}.
 *
 * @param more - What else the page needs, by directive.
 */
export function pagePolicy(script: string, more: Readonly<Record<string, string>>): string {
  const { "script-src": scripts = "", ...others } = more;
  const directives = {
    "default-src": "'none'",
    "script-src": `${hashOf(script)} ${scripts}`.trimEnd(),
    "style-src": hashOf(styles),
    ...others,
    "base-uri": "'none'",
    "form-action": "'none'",
  };
  return Object.entries(directives)
    .map((directive) => directive.join(" "))
    .join("; ");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
