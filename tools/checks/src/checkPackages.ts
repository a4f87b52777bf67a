import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/**
 * Packs every package as `npm publish` would, and checks the tarballs with publint and attw. What users do with them is
 * rehearsed in tools/release.
 */
const packages = ["contracts", "packages"].flatMap((parent) =>
  readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `./${parent}/${entry.name}`),
);
// The settings of the npm around this script would affect the npm inside it; only the registry stays.
const { npm_config_call: _call, npm_config_package: _package, ...env } = process.env;
// No step takes a minute; an npm that hangs must fail instead of blocking everything.
const commandBoundMs = 300_000;
const folder = mkdtempSync(join(tmpdir(), "vipscore-packed-"));
try {
  let faults = 0;
  for (const { name, filename } of pack(packages)) faults += await lintPackage(name, join(folder, filename));
  if (faults > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** A package that npm packed. */
interface Packed {
  readonly name: string;
  readonly filename: string;
}

/** Packs folders in one run of npm, which takes half a second of CPU time to start. */
function pack(paths: readonly string[]): readonly Packed[] {
  const packed = JSON.parse(
    run("npm", ["pack", "--json", "--pack-destination", folder, ...paths]),
  ) as readonly Packed[];
  if (packed.length !== paths.length) throw new Error(`npm packed ${packed.length} of ${paths.length} packages`);
  return packed;
}

async function lintPackage(name: string, tarball: string): Promise<number> {
  // A copy: the buffer of a small file is part of a larger one.
  const { buffer } = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: buffer } });
  for (const message of messages) console.error(`${name}: ${formatMessage(message, pkg) ?? message.code}`);
  // Bytecode has no types, nor have sources of contracts.
  const bytecode = ["--exclude-entrypoints", "artifacts/vip_score.mv", "artifacts/vip_score.wasm"];
  const hasEntries = pkg["exports"] !== undefined;
  if (hasEntries) run(resolve("node_modules/.bin/attw"), [tarball, "--profile", "esm-only", "--quiet", ...bytecode]);
  console.log(`publint and attw: ${name} ok`);
  return messages.length;
}

function run(command: string, args: readonly string[]): string {
  try {
    return execFileSync(command, args, {
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
