import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A package that npm publishes, with types. */
export interface PublicPackage {
  readonly name: string;
  /** Path of its folder. */
  readonly folder: string;
  readonly entries: readonly PublicEntry[];
}

/** An entry that a package's `exports` names. */
export interface PublicEntry {
  /** The specifier that an import names, such as `@vipscore/core/errors`. */
  readonly specifier: string;
  /** Path of its source. */
  readonly source: string;
  /** Path of its built declarations. */
  readonly types: string;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/**
 * Lists the public packages of the workspace that have types, in the order of their names.
 *
 * @param root The folder of the workspace.
 */
export function publicPackages(root: string): readonly PublicPackage[] {
  return readdirSync(join(root, "packages")).flatMap((directory) => {
    const folder = join(root, "packages", directory);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    const entries = Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
      const { "@vipscore/source": source, types } = typeof target === "string" ? {} : target;
      if (source === undefined || types === undefined) return [];
      return [{ specifier: join(manifest.name, path), source: join(folder, source), types: join(folder, types) }];
    });
    return manifest.private === true || entries.length === 0 ? [] : [{ name: manifest.name, folder, entries }];
  });
}
