import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The way to install programs on this machine: with apt-get, with Homebrew, or by the instructions of a web page.
 *
 * @typedef {"apt" | "brew" | "other"} System
 */

/** @returns {System} */
export function detectSystem() {
  if (process.platform === "darwin") return "brew";
  return findProgram(["apt-get"]) === undefined ? "other" : "apt";
}

/**
 * Returns the path of the first of these programs that is on the PATH, or undefined.
 *
 * @param {readonly string[]} names
 */
export function findProgram(names) {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
