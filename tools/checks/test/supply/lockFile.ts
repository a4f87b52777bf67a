/** The part of package-lock.json (version 3) that the checks read: packages by folder. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/** One package of a lock file. */
export interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  /** A package of this workspace, and its folder. */
  readonly link?: boolean;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Returns the name of the package in a folder of a lock file. */
export function nameIn(folder: string): string {
  return folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** Lists the folders of all packages from a registry. */
export function registryFolders({ packages }: LockFile): readonly string[] {
  return Object.keys(packages).filter((folder) => folder.includes("node_modules/") && packages[folder]?.link !== true);
}

/** Finds a package as Node does: in the folder's own node_modules, then in those of the folders above. */
export function resolveFrom({ packages }: LockFile, folder: string, name: string): string | undefined {
  for (let above = folder; above !== ""; above = above.slice(0, Math.max(above.lastIndexOf("/"), 0))) {
    const found = `${above}/node_modules/${name}`;
    if (found in packages) return found;
  }
  return `node_modules/${name}` in packages ? `node_modules/${name}` : undefined;
}
