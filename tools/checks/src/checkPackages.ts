import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/**
 * Packs every package as `npm publish` would, and checks the tarballs with publint and attw. What users do with them is
 * rehearsed in tools/rehearsal.
 */
const packages = ["contracts", "packages"].flatMap((parent) =>
  readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => resolve(parent, entry.name)),
);
// The settings of the npm around this script would affect the npm inside it; only the registry stays.
const { npm_config_call: _call, npm_config_package: _package, ...env } = process.env;
// No step takes a minute; an npm that hangs must fail instead of blocking everything.
const commandBoundMs = 300_000;
const folder = mkdtempSync(join(tmpdir(), "vipscore-packed-"));
try {
  let faults = 0;
  for (const path of packages) faults += await lintPackage(path, pack(path));
  if (faults > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

function pack(path: string): string {
  const printed = run("npm", ["pack", "--json", "--pack-destination", folder], path);
  const [packed] = JSON.parse(printed) as readonly { readonly filename: string }[];
  if (packed === undefined) throw new Error(`npm pack produced nothing for ${path}`);
  return join(folder, packed.filename);
}

async function lintPackage(path: string, tarball: string): Promise<number> {
  // A copy: the buffer of a small file is part of a larger one.
  const { buffer } = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: buffer } });
  for (const message of messages) console.error(`${path}: ${formatMessage(message, pkg) ?? message.code}`);
  // Bytecode has no types, nor have sources of contracts.
  const bytecode = ["--exclude-entrypoints", "artifacts/vip_score.mv", "artifacts/vip_score.wasm"];
  const hasEntries = pkg["exports"] !== undefined;
  if (hasEntries)
    run(resolve("node_modules/.bin/attw"), [tarball, "--profile", "esm-only", "--quiet", ...bytecode], ".");
  console.log(`publint and attw: ${String(pkg["name"])} ok`);
  return messages.length;
}

function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, {
      cwd,
      env,
      encoding: "utf8",
      timeout: commandBoundMs,
      stdio: ["ignore", "pipe", "inherit"],
    });
  } catch (error) {
    // Some of these tools report problems on standard output.
    if (error instanceof Error && "stdout" in error) console.error(String(error.stdout));
    throw error;
  }
}
