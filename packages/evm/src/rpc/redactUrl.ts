/**
 * A URL as messages and logs may show it: scheme, host, port and at most the first path segment. User, password, query
 * and the rest of the path are left out because providers put access tokens into each of them.
 */
export function redactUrl(url: URL): string {
  const [first, ...rest] = url.pathname.split("/").filter((segment) => segment !== "");
  if (first === undefined) return url.origin;
  // A first segment this long is itself a token rather than a version or a chain's name.
  const shown = first.length > 16 ? "…" : first;
  return `${url.origin}/${shown}${rest.length > 0 && shown !== "…" ? "/…" : ""}`;
}

/**
 * Replaces what {@link redactUrl} leaves out of a URL wherever a text repeats it: some providers quote a wrong token in
 * their refusal.
 */
export function redactText(text: string, url: URL): string {
  const shown = redactUrl(url);
  const parts = [url.username, url.password, ...url.searchParams.values(), ...url.pathname.split("/")];
  // Anything shorter is found in texts by chance.
  const secrets = parts.flatMap((part) => [part, decodePart(part)]).filter((part) => part.length >= 6);
  let redacted = text;
  // The longest first: a short one may be part of it.
  secrets.sort((a, b) => b.length - a.length);
  for (const secret of secrets) if (!shown.includes(secret)) redacted = redacted.replaceAll(secret, "…");
  return redacted;
}

/** A part of a URL without its percent signs; as it stands where they are not an encoding. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
