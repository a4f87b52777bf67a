/** Variables that hold an endpoint. */
const endpoints = [
  "VIPSCORE_ENDPOINT",
  "VIPSCORE_SECOND_ENDPOINT",
  "JSON_RPC_URL",
  "REST_URL",
  "ROLLUP_REST_URL",
  "RPC_NODE_URL",
  "L1_REST_URL",
  "INDEXER_URL",
];

/**
 * Removes the path and the query of each endpoint from a text. Providers put API keys there, and GitHub masks secrets in logs
 * but not in comments.
 */
export function hidePaths(text: string, env: NodeJS.ProcessEnv): string {
  const secrets = endpoints.flatMap((name) => {
    const url = URL.parse(env[name] ?? "");
    return url === null ? [] : [url.pathname + url.search, url.pathname, url.search];
  });
  return secrets.filter((secret) => secret.length > 1).reduce((left, secret) => left.replaceAll(secret, "/…"), text);
}
