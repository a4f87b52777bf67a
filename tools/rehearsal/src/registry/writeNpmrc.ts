import { writeFile } from "node:fs/promises";

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
