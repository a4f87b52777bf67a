import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/**
 * A package of a lock file, as far as it matters here.
 *
 * @typedef {object} Entry
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {string} [resolved] Of a link: the folder that it leads to.
 * @property {boolean} [link]
 * @property {readonly string[]} [os]
 * @property {readonly string[]} [cpu]
 * @property {readonly string[]} [libc]
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [devDependencies]
 * @property {Readonly<Record<string, string>>} [optionalDependencies]
 * @property {Readonly<Record<string, string>>} [peerDependencies]
 * @property {Readonly<Record<string, { readonly optional?: boolean }>>} [peerDependenciesMeta]
 */

/** @typedef {Readonly<Record<string, Entry>>} Entries Packages by their place, such as `node_modules/a/node_modules/b`. */

/**
 * Returns the places of packages that the lock file names and that are missing or have another version in `node_modules`.
 * npm lists what it installed in `node_modules/.package-lock.json`.
 *
 * @param {string} root Folder of the lock file.
 * @param {string | undefined} workspace Only what this workspace needs to run, such as `packages/demo`. Default: all.
 * @returns {readonly string[]}
 */
export function outdatedPackages(root, workspace) {
  const locked = entriesOf(join(root, "package-lock.json"));
  if (locked === undefined) throw new Error(`${root} has no package-lock.json`);
  const installed = entriesOf(join(root, "node_modules/.package-lock.json")) ?? {};
  const start = workspace === undefined ? ["", ...Object.keys(locked).filter(isWorkspace)] : [workspace];
  return [...neededPlaces(locked, start, workspace === undefined)].filter(
    (place) => !isSame(locked[place], installed[place]),
  );
}

/**
 * @param {string} file
 * @returns {Entries | undefined}
 */
function entriesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/** @param {string} place */
function isWorkspace(place) {
  return place !== "" && !place.includes("node_modules");
}

/**
 * @param {Entry | undefined} locked
 * @param {Entry | undefined} installed
 */
function isSame(locked, installed) {
  return installed !== undefined && installed.version === locked?.version && installed.integrity === locked?.integrity;
}

/**
 * Follows dependencies as Node resolves them.
 *
 * @param {Entries} entries
 * @param {readonly string[]} start
 * @param {boolean} isDevelopment Whether the development packages of `start` are needed.
 */
function neededPlaces(entries, start, isDevelopment) {
  /** @type {Set<string>} */
  const needed = new Set();
  const queue = [...start];
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    const entry = entries[place] ?? {};
    const names = { ...entry.dependencies, ...(isDevelopment && start.includes(place) && entry.devDependencies) };
    const optional = { ...entry.optionalDependencies, ...entry.peerDependencies };
    for (const name of Object.keys({ ...names, ...optional })) {
      const found = placeOf(entries, place, name);
      const target = found === undefined ? undefined : entries[found];
      if (found === undefined || target === undefined || needed.has(found)) continue;
      // An optional package without a platform may be left out for other reasons.
      if (!(name in names) && !(target.os ?? target.cpu)) continue;
      if (!isForThisMachine(target)) continue;
      needed.add(found);
      queue.push(target.link === true && target.resolved !== undefined ? target.resolved : found);
    }
  }
  return needed;
}

/**
 * @param {Entries} entries
 * @param {string} from
 * @param {string} name
 */
function placeOf(entries, from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = posix.join(folder === "." ? "" : folder, "node_modules", name);
    if (place in entries) return place;
    if (folder === "." || folder === "") return undefined;
  }
}

/** @param {Entry} entry */
function isForThisMachine({ os, cpu, libc }) {
  return allows(os, process.platform) && allows(cpu, process.arch) && (libc === undefined || allows(libc, cLibrary()));
}

/** Found as npm finds it. */
function cLibrary() {
  const report = /** @type {{ readonly header: { readonly glibcVersionRuntime?: string } }} */ (
    process.report.getReport()
  );
  return report.header.glibcVersionRuntime === undefined ? "musl" : "glibc";
}

/**
 * @param {readonly string[] | undefined} list
 * @param {string} value
 */
function allows(list, value) {
  if (list === undefined) return true;
  const allowed = list.filter((one) => !one.startsWith("!"));
  return !list.includes(`!${value}`) && (allowed.length === 0 || allowed.includes(value));
}
