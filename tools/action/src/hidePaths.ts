/**
 * Removes the path and the query of each URL in the environment from a text. Providers put API keys there, and GitHub masks
 * secrets in logs but not in comments.
 */
export function hidePaths(text: string, env: NodeJS.ProcessEnv): string {
  const secrets = Object.values(env).flatMap((value = "") => {
    const url = value.includes("://") ? URL.parse(value) : null;
    return url === null ? [] : [url.pathname + url.search, url.pathname.replace(/\/+$/, ""), url.search];
  });
  // Longest first, because the path of one URL may be the beginning of another's.
  const longestFirst = secrets.filter((secret) => secret.length > 1).sort((a, b) => b.length - a.length);
  return longestFirst.reduce((left, secret) => left.replaceAll(secret, "/…"), text);
}
