import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { runServer } from "verdaccio";

/**
 * Starts a registry in this process that holds what is published to it, and fetches every package outside `@vipscore` from
 * another one. Only the user of the npmrc may publish.
 *
 * @param folder An empty folder.
 * @param upstream Address of the registry that has the other packages.
 * @returns the path of the npmrc.
 */
export async function startRegistry(folder: string, upstream: string): Promise<string> {
  const [user, password] = ["rehearsal", crypto.randomUUID()];
  const htpasswd = join(folder, "htpasswd");
  await writeFile(htpasswd, `${user}:{SHA}${createHash("sha1").update(password).digest("base64")}\n`, { mode: 0o600 });
  const server = (await runServer({
    // Verdaccio resolves relative paths from the file of its configuration. This configuration has absolute paths only.
    configPath: join(folder, "config.yaml"),
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: htpasswd, algorithm: "sha1", max_users: -1 } },
    uplinks: { upstream: { url: upstream, timeout: "10m", max_fails: 20, agent_options: { keepAlive: true } } },
    // A busy machine may send a request on a connection that is closed at that moment.
    server: { keepAliveTimeout: 0 },
    packages: {
      "@vipscore/*": { access: "$all", publish: "$authenticated" },
      "**": { access: "$all", proxy: "upstream" },
    },
    max_body_size: "500mb",
    web: { enable: false },
    log: { type: "file", path: join(folder, "registry.log"), format: "json", level: "http" },
  })) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const npmrc = join(folder, "npmrc");
  const lines = [
    `registry=http://${host}/`,
    `//${host}/:_auth=${Buffer.from(`${user}:${password}`).toString("base64")}`,
    "audit=false",
    "fund=false",
    "update-notifier=false",
    // A failure is an answer of the rehearsal's own registry.
    "fetch-retries=0",
  ];
  await writeFile(npmrc, `${lines.join("\n")}\n`, { mode: 0o600 });
  return npmrc;
}
