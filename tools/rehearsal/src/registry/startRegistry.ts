import { readFile, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { runServer } from "verdaccio";
import { openDoor, type Door } from "./openDoor.ts";

/** A registry that runs in this process and keeps its packages in a folder. */
export interface Registry {
  /** Opens an address of the registry that counts what it serves. */
  readonly open: () => Promise<Door>;
  /** Marks a published version as one with a shrinkwrap, as npm's own registry does. */
  readonly markShrinkwrap: (name: string, version: string) => Promise<void>;
}

/**
 * Starts a registry that holds what is published to it, and fetches every package outside `@vipscore` from another one. Only
 * users that it knows may publish.
 *
 * @param folder An empty folder.
 * @param upstream Address of the registry that has the other packages.
 */
export async function startRegistry(folder: string, upstream: string): Promise<Registry> {
  const storage = join(folder, "storage");
  const server = (await runServer({
    // Verdaccio resolves relative paths from the file of its configuration. This configuration has absolute paths only.
    configPath: join(folder, "config.yaml"),
    storage,
    auth: { htpasswd: { file: join(folder, "htpasswd"), algorithm: "sha1" } },
    uplinks: { upstream: { url: upstream, timeout: "60s", max_fails: 20, agent_options: { keepAlive: true } } },
    packages: {
      "@vipscore/*": { access: "$all", publish: "$authenticated" },
      "**": { access: "$all", proxy: "upstream" },
    },
    max_body_size: "500mb",
    web: { enable: false },
    log: { type: "file", path: join(folder, "registry.log"), format: "json", level: "http" },
  })) as Server;
  const answer: RequestListener = (request, response) => server.emit("request", request, response);
  return {
    open: () => openDoor(createServer(answer)),
    markShrinkwrap: (name, version) => markShrinkwrap(storage, name, version),
  };
}

/**
 * Marks a version in Verdaccio's storage as one whose tarball has an npm-shrinkwrap.json.
 *
 * npm's own registry finds the file when a version is published. Verdaccio does not look for it, and npm ignores the shrinkwrap
 * of a dependency that is not marked.
 */
async function markShrinkwrap(storage: string, name: string, version: string): Promise<void> {
  const file = join(storage, name, "package.json");
  const document = JSON.parse(await readFile(file, "utf8")) as { versions: Record<string, object> };
  document.versions[version] = { ...document.versions[version], _hasShrinkwrap: true };
  await writeFile(file, JSON.stringify(document));
}
