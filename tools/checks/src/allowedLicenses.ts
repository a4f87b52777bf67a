/** Licenses that an operator's installation may contain. */
const allowed = new Set([
  "MIT",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "0BSD",
  "CC0-1.0",
  "Unlicense",
  "Zlib",
  "Unicode-3.0",
]);

/**
 * True if a license expression is allowed. Understands identifiers, `OR` and the older `/`, `AND`,
 * `WITH LLVM-exception` and one level of brackets.
 */
export function isAllowedLicense(expression: string): boolean {
  const bare = expression.replace(/ WITH LLVM-exception/g, "").replace(/\//g, " OR ");
  // (A OR B) AND C: each part between brackets must be allowed.
  const bracketed = [...bare.matchAll(/\(([^()]*)\)/g)].map(([, inner = ""]) => inner);
  const rest = bare.replace(/\([^()]*\)/g, "");
  if (bracketed.length > 0 && / AND /.test(rest)) {
    const others = rest.split(" AND ").filter((part) => part.trim() !== "");
    return [...bracketed, ...others].every(isAllowedLicense);
  }
  return bare
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((alternative) => alternative.split(" AND ").every((identifier) => allowed.has(identifier.trim())));
}
