import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/**
 * Packs every package as `npm publish` would, checks the tarballs with publint and attw, and installs them into an empty
 * project that imports each package, typechecks against it and runs the command.
 */
const packages = readdirSync("packages", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => resolve("packages", entry.name));
// The settings of the npm around this script would affect the npm inside it; only the registry stays.
const { npm_config_call: _call, npm_config_package: _package, ...env } = process.env;
// No step takes a minute; an npm that hangs must fail instead of blocking everything.
const commandBoundMs = 300_000;
const folder = mkdtempSync(join(tmpdir(), "vipscore-packed-"));
try {
  let faults = 0;
  const tarballs: string[] = [];
  for (const path of packages) {
    const tarball = pack(path);
    tarballs.push(tarball);
    faults += await lintPackage(path, tarball);
  }
  if (faults > 0) process.exitCode = 1;
  else consume(tarballs);
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
  const { messages, pkg } = await publint({ pkgDir: path, strict: true, pack: "npm" });
  for (const message of messages) console.error(`${path}: ${formatMessage(message, pkg) ?? message.code}`);
  // Bytecode has no types.
  const bytecode = ["--exclude-entrypoints", "artifacts/vip_score.mv", "artifacts/vip_score.wasm"];
  run(resolve("node_modules/.bin/attw"), [tarball, "--profile", "esm-only", "--quiet", ...bytecode], ".");
  console.log(`publint and attw: ${String(pkg["name"])} ok`);
  return messages.length;
}

function consume(tarballs: readonly string[]): void {
  const project = join(folder, "consumer");
  const names = [
    "core",
    "core/wire",
    "core/cosmos",
    "core/engine",
    "core/errors",
    "core/values",
    "blocks",
    "blocks/cosmos",
    "blocks/evm",
    "evm",
    "move",
    "wasm",
    "l1",
    "indexer",
    "indexer-client",
    "indexer-client/address",
    "indexer-client/holders",
    "indexer-client/query",
    "localnet",
    "policy",
    "report",
    "snapshot",
  ].map((name) => `@vipscore/${name}`);
  run("mkdir", [project], folder);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  const imports = names.map(
    (name, index) => `import * as p${index} from "${name}";\nconsole.log("${name}", Object.keys(p${index}).length);\n`,
  );
  writeFileSync(join(project, "consumer.ts"), imports.join(""));
  run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...tarballs], project);
  const tsc = resolve("node_modules/.bin/tsc");
  const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom"];
  run(tsc, [...options, "--skipLibCheck", "consumer.ts"], project);
  process.stdout.write(run("node", ["consumer.ts"], project));
  process.stdout.write(run(join(project, "node_modules/.bin/vipscore"), ["--version"], project));
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
