/** What an operator's installation may contain. */
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
 * True if a licence expression allows what an installation needs. Understands identifiers, `OR` and the older `/`, `AND`,
 * `WITH LLVM-exception` and one level of brackets.
 */
export function isAllowedLicence(expression: string): boolean {
  const bare = expression.replace(/ WITH LLVM-exception/g, "").replace(/\//g, " OR ");
  // (A OR B) AND C: each part between brackets has to be allowed by itself.
  const bracketed = [...bare.matchAll(/\(([^()]*)\)/g)].map(([, inner = ""]) => inner);
  const rest = bare.replace(/\([^()]*\)/g, "");
  if (bracketed.length > 0 && / AND /.test(rest)) {
    const others = rest.split(" AND ").filter((part) => part.trim() !== "");
    return [...bracketed, ...others].every(isAllowedLicence);
  }
  return bare
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((alternative) => alternative.split(" AND ").every((identifier) => allowed.has(identifier.trim())));
}
