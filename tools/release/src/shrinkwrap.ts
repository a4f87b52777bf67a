import type { Manifest } from "./publishOrder.ts";

/** The part of package-lock.json (version 3) that a shrinkwrap is made of: packages by folder. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/** The dependencies of a package; the same in package.json and in a lock file. */
interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A package in a lock file. */
interface LockEntry extends Needs {
  readonly version?: string;
  readonly integrity?: string;
  /** A package of this workspace, and its folder. */
  readonly link?: boolean;
  readonly resolved?: string;
}

/** A package of the release that the one with the shrinkwrap may need. */
export interface OwnPackage {
  /** Its folder in the workspace. */
  readonly path: string;
  readonly manifest: Manifest & Needs;
  /** SHA-512 of its tarball, as npm writes it; undefined before it is packed. */
  readonly integrity: string | undefined;
}

/** Fields of an entry that npm needs to install a package. `resolved` is not among them: any registry may serve it. */
const copiedFields = [
  "version",
  "integrity",
  "license",
  "bin",
  "engines",
  "os",
  "cpu",
  "libc",
  "hasInstallScript",
  "dependencies",
  "optionalDependencies",
  "peerDependencies",
  "peerDependenciesMeta",
] as const;

/**
 * Returns the text of `npm-shrinkwrap.json` for a package of the workspace: what the workspace's lock file holds of its production
 * tree, with the workspace's own packages as their tarballs. Packages that only optional dependencies need are marked, so that
 * `--omit=optional` leaves them out.
 *
 * @param start Folder of the package.
 * @throws Error for a dependency that is not in the lock file, or without a digest.
 */
export function shrinkwrap(lock: LockFile, start: string, own: readonly OwnPackage[]): string {
  const ownByPath = new Map(own.map((each) => [each.path, each]));
  const root = ownByPath.get(start);
  if (root === undefined) throw new Error(`${start} is not a package of the release`);
  const needsOf = (folder: string): Needs => ownByPath.get(folder)?.manifest ?? lock.packages[folder] ?? {};
  const places = placeTree(lock, start, needsOf);
  const required = requiredPlaces(places, needsOf);
  const entryOf = (place: string, folder: string): object => {
    const owned = ownByPath.get(folder);
    const entry = { ...(owned?.manifest ?? lock.packages[folder]), ...(owned && { integrity: owned.integrity }) };
    if (place !== "" && entry.integrity === undefined) throw new Error(`${folder} has no digest`);
    const fields = copiedFields.map((field) => [field, (entry as Readonly<Record<string, unknown>>)[field]]);
    return { ...Object.fromEntries(fields), ...(required.has(place) ? {} : { optional: true }) };
  };
  const { name, version } = root.manifest;
  const sorted = [...places].sort(([one], [other]) => (one < other ? -1 : 1));
  const packages = sorted.map(([place, folder]) => [
    place,
    place === "" ? { name, ...entryOf(place, folder) } : entryOf(place, folder),
  ]);
  const value = { name, version, lockfileVersion: 3, requires: true, packages: Object.fromEntries(packages) as object };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/**
 * Gives each package of the tree a place below the one with the shrinkwrap, such as `node_modules/a/node_modules/b`: at the top, or
 * inside the package that needs it where the top has another version. A package's dependencies get their places before theirs,
 * so that none is found in front of one that was placed earlier.
 */
function placeTree(lock: LockFile, start: string, needsOf: (folder: string) => Needs): ReadonlyMap<string, string> {
  const places = new Map([["", start]]);
  for (const [place, folder] of places) {
    for (const { name, isOptional } of listNeeds(needsOf(folder))) {
      const target = resolveFrom(lock, folder, name);
      if (target === undefined) {
        if (isOptional) continue;
        throw new Error(`${folder} needs ${name}, which is not in the lock file`);
      }
      const found = findPlace(places, place, name);
      if (found !== undefined && places.get(found) === target) continue;
      // A map is read to its end, also what is added meanwhile.
      places.set(found === undefined ? `node_modules/${name}` : inside(place, name), target);
    }
  }
  return places;
}

/** Returns the places that are needed also without optional dependencies. */
function requiredPlaces(places: ReadonlyMap<string, string>, needsOf: (folder: string) => Needs): ReadonlySet<string> {
  const required = new Set([""]);
  for (const place of required) {
    for (const { name, isOptional } of listNeeds(needsOf(places.get(place) ?? ""))) {
      const found = isOptional ? undefined : findPlace(places, place, name);
      if (found !== undefined) required.add(found);
    }
  }
  return required;
}

function listNeeds(needs: Needs): readonly { readonly name: string; readonly isOptional: boolean }[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = needs;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  const optional = Object.keys(optionalDependencies);
  // npm lists an optional dependency among the others too.
  const plain = [...Object.keys(dependencies), ...peers].filter((name) => !(name in optionalDependencies));
  return [
    ...plain.map((name) => ({ name, isOptional: false })),
    ...optional.map((name) => ({ name, isOptional: true })),
  ];
}

/** Finds a package in the lock file as Node does from a folder; for one of the workspace, returns its own folder. */
function resolveFrom({ packages }: LockFile, folder: string, name: string): string | undefined {
  for (let above = folder; ; above = above.slice(0, Math.max(above.lastIndexOf("/"), 0))) {
    const found = inside(above, name);
    const entry = packages[found];
    if (entry !== undefined) return entry.link === true ? entry.resolved : found;
    if (above === "") return undefined;
  }
}

/** Finds the place of a package as Node does from another place. */
function findPlace(places: ReadonlyMap<string, string>, from: string, name: string): string | undefined {
  for (let above = from; ; above = above.slice(0, Math.max(above.lastIndexOf("/"), 0))) {
    const found = inside(above, name);
    if (places.has(found)) return found;
    if (above === "") return undefined;
  }
}

function inside(place: string, name: string): string {
  return place === "" ? `node_modules/${name}` : `${place}/node_modules/${name}`;
}
