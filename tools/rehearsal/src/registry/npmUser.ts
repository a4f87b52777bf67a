import { writeFile } from "node:fs/promises";

/**
 * Adds a user to a registry, as `npm adduser` does.
 *
 * @returns The token that the user publishes with.
 */
export async function addUser(registry: string): Promise<string> {
  const name = "rehearsal";
  const response = await fetch(new URL(`-/user/org.couchdb.user:${name}`, registry), {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, password: crypto.randomUUID() }),
  });
  const { token } = (await response.json()) as { readonly token?: string };
  if (token === undefined) throw new Error(`the registry added no user: status ${response.status}`);
  return token;
}

/** Writes an npmrc that installs from a registry and, with a token, publishes there. */
export async function writeNpmrc(path: string, registry: string, token?: string): Promise<void> {
  const { host } = new URL(registry);
  const lines = [
    `registry=${registry}`,
    "audit=false",
    "fund=false",
    "update-notifier=false",
    // A failure is an answer of the rehearsal's own registry.
    "fetch-retries=0",
    ...(token === undefined ? [] : [`//${host}/:_authToken=${token}`]),
  ];
  await writeFile(path, `${lines.join("\n")}\n`, { mode: 0o600 });
}
