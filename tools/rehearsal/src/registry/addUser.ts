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
