import { createHash } from "node:crypto";

/**
 * Adds a Content Security Policy to a built page: whatever the page's code tries, its browser loads nothing from another
 * host, and runs no other script than those that were built.
 */
export function addContentPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)];
  const hashes = inline.map(([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(" ")}`,
    // The colors of code are style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html.replace("<head>", `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`);
}
