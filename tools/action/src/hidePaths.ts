import { settingVariables } from "../../../packages/cli/src/settings/settings.ts";

/**
 * Removes the path and the query of each endpoint from a text. Providers put API keys there, and GitHub masks secrets in logs
 * but not in comments.
 */
export function hidePaths(text: string, env: NodeJS.ProcessEnv): string {
  const urls = settingVariables.filter(({ kind }) => kind === "url");
  const secrets = urls.flatMap(({ name }) => {
    const url = URL.parse(env[name] ?? "");
    return url === null ? [] : [url.pathname + url.search, url.pathname, url.search];
  });
  return secrets.filter((secret) => secret.length > 1).reduce((left, secret) => left.replaceAll(secret, "/…"), text);
}
