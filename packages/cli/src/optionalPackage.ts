import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { InputError } from "@vipscore/core/errors";

/** The packages that the command uses if they are installed: how to load each, and what needs it. */
const packages = {
  "@vipscore/evm": { load: () => import("@vipscore/evm"), need: "EVM rollups" },
  "@vipscore/move": { load: () => import("@vipscore/move"), need: "Move rollups and transactions for L1" },
  "@vipscore/wasm": { load: () => import("@vipscore/wasm"), need: "Wasm rollups" },
  "@vipscore/ledger": { load: () => import("@vipscore/ledger"), need: "hardware wallets (--ledger)" },
  "@vipscore/localnet": { load: () => import("@vipscore/localnet"), need: "local chains (vipscore node)" },
  "@vipscore/conformance": {
    load: () => import("@vipscore/conformance"),
    need: "testing a contract (vipscore conform)",
  },
  "@vipscore/indexer": {
    load: () => import("@vipscore/indexer"),
    need: "indexing NFTs (vipscore indexer, vipscore node --indexer, policies that count NFTs)",
  },
  "@vipscore/policy": {
    load: () => import("@vipscore/policy"),
    need: "policies (vipscore score new, check and run, vipscore audit)",
  },
} as const;

/** Entry of a package that may not be installed. */
export type OptionalPackage = keyof typeof packages;

export type PackageExports<T extends OptionalPackage> = Awaited<ReturnType<(typeof packages)[T]["load"]>>;

/** Loads a package that may not be installed. Nothing else of the command imports these packages, except for their types. */
export async function optionalPackage<T extends OptionalPackage>(entry: T): Promise<PackageExports<T>>;
export async function optionalPackage(entry: OptionalPackage): Promise<unknown> {
  const { load, need } = packages[entry];
  try {
    return await load();
  } catch (cause) {
    const name = entry.split("/").slice(0, 2).join("/");
    // The second is that of Yarn's Plug'n'Play. A package that is installed and broken has the same, for a module that it imports.
    const isMissing = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(String(valueAt(cause, "code")));
    if (!isMissing || packageFolder(name) !== undefined) throw cause;
    throw packageMissing(name, need, cause);
  }
}

export function packageMissing(name: string, need: string, cause?: unknown): InputError {
  // Packages that npm exec installs for one run do not find those of the folder.
  const names = process.env["npm_command"] === "exec" ? ["@vipscore/cli", name] : [name];
  const pinned = names.map((each) => `${each}@${ownVersion()}`).join(" ");
  return new InputError(`${name} is not installed; vipscore needs it for ${need}`, {
    code: "PACKAGE_MISSING",
    metaMessages: [
      `Install it next to vipscore: ${installCommand(pinned)} (with -g if vipscore is installed with -g).`,
    ],
    cause,
  });
}

/** Returns the command that installs packages with the manager that runs this one, or else with npm. */
export function installCommand(names: string): string {
  const [, manager] = /^(pnpm|yarn|bun)\//.exec(process.env["npm_config_user_agent"] ?? "") ?? [];
  const adds = manager ?? (process.versions["pnp"] === undefined ? undefined : "yarn");
  return adds === undefined ? `npm install ${names}` : `${adds} add ${names}`;
}

/** Returns the folder of a package; undefined if it is not installed where this command finds packages. */
export function packageFolder(name: string): string | undefined {
  const require = createRequire(import.meta.url);
  const parents = require.resolve.paths(name) ?? [];
  const folder = parents.map((parent) => join(parent, name)).find((each) => existsSync(join(each, "package.json")));
  return folder ?? folderInPnp(name);
}

/** Yarn's Plug'n'Play has no folders of packages: it is asked for that of the command's dependency, or of the project's. */
function folderInPnp(name: string): string | undefined {
  if (process.versions["pnp"] === undefined) return undefined;
  for (const from of [import.meta.url, join(process.cwd(), "package.json")]) {
    try {
      return dirname(createRequire(from).resolve(`${name}/package.json`));
    } catch {
      // Neither declares it.
    }
  }
  return undefined;
}

export function ownVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return String(valueAt(JSON.parse(text), "version"));
}

/** Returns the value at a path of keys in a parsed JSON value or any other object; undefined if there is none. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}
