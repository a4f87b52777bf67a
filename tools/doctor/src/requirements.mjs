import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { findProgram } from "./system.mjs";

/**
 * The version that the doctor found for a requirement.
 *
 * @typedef {object} Found
 * @property {string | undefined} version The version found; undefined if missing.
 * @property {boolean} isEnough Whether that version is enough.
 */

/**
 * Something outside npm that the tests or the demo need.
 *
 * @typedef {object} Requirement
 * @property {string} name
 * @property {string} wanted The accepted versions; empty for any version.
 * @property {Readonly<Partial<Record<import("./examine.mjs").Job, "required" | "optional">>>} jobs What needs it.
 * @property {string} purpose What cannot run without it.
 * @property {() => Promise<Found>} find
 * @property {Readonly<Record<import("./system.mjs").System, string>>} install How to install it.
 */

/** An answer takes some milliseconds; a program that hangs must not block the doctor. */
const answerBoundMs = 20_000;

/** @type {readonly Requirement[]} */
export const requirements = [
  {
    name: "Node",
    wanted: "22.19 or newer",
    jobs: { test: "required", "test:all": "required", demo: "required", "release:rehearse": "required" },
    purpose: "everything",
    find: () => Promise.resolve(atLeast(process.versions.node, 22, 19)),
    install: {
      apt: "npx -y -p node@22 npm test, as in README.md",
      brew: "npx -y -p node@22 npm test, as in README.md",
      other: "npx -y -p node@22 npm test, as in README.md",
    },
  },
  {
    name: "Go",
    wanted: "1.23 or newer",
    jobs: { test: "required", "test:all": "required", demo: "optional", "release:rehearse": "required" },
    purpose: "the local Move and Wasm chains",
    find: async () => atLeast(await versionOf("go", ["version"]), 1, 23),
    install: {
      apt: "apt-get install -y golang-go (from Debian 13 or Ubuntu 25.04; before: https://go.dev/doc/install)",
      brew: "brew install go",
      other: "https://go.dev/doc/install",
    },
  },
  {
    name: "C compiler",
    wanted: "",
    jobs: { test: "required", "test:all": "required", demo: "optional", "release:rehearse": "required" },
    purpose: "the local Move and Wasm chains",
    find: findCCompiler,
    install: {
      apt: "apt-get install -y gcc libc6-dev",
      brew: "xcode-select --install",
      other: "gcc or clang, with the headers of the C library",
    },
  },
  {
    name: "cargo",
    wanted: "1.85 or newer",
    jobs: { test: "required", "test:all": "required", "release:rehearse": "required" },
    purpose: "the tests of the CosmWasm contract",
    find: async () => atLeast(await versionOf("cargo", ["--version"]), 1, 85),
    install: {
      apt: "apt-get install -y cargo (from Debian 13 or Ubuntu 25.04; before: https://rustup.rs)",
      brew: "brew install rust",
      other: "https://rustup.rs",
    },
  },
  {
    name: "rustup",
    wanted: "",
    jobs: { "release:rehearse": "required" },
    purpose: "the standard library for Wasm, with which the rehearsal builds a contract",
    find: async () => atLeast(await versionOf("rustup", ["--version"]), 0, 0),
    install: {
      apt: "https://rustup.rs (in Debian 13 also: apt-get install -y rustup)",
      brew: "brew install rustup",
      other: "https://rustup.rs",
    },
  },
  {
    name: "Python",
    wanted: "3.8 or newer",
    jobs: { test: "required", "test:all": "required", "release:rehearse": "required" },
    purpose: "npm ci, which runs node-gyp for better-sqlite3 even where nothing has to be compiled",
    find: async () => atLeast(await versionOf("python3", ["--version"]), 3, 8),
    install: {
      apt: "apt-get install -y python3",
      brew: "brew install python",
      other: "https://www.python.org/downloads",
    },
  },
  {
    name: "make",
    wanted: "",
    jobs: { test: "required", "test:all": "required", "release:rehearse": "required" },
    purpose: "npm ci, which runs node-gyp for better-sqlite3 even where nothing has to be compiled",
    find: async () => atLeast(await versionOf("make", ["--version"]), 0, 0),
    install: {
      apt: "apt-get install -y make",
      brew: "xcode-select --install",
      other: "https://www.gnu.org/software/make",
    },
  },
  {
    name: "browser",
    wanted: "Chromium or Chrome",
    jobs: { "test:all": "required", "release:rehearse": "required" },
    purpose: "the browser tests of the NFT client and the report",
    find: () => Promise.resolve(findBrowser()),
    install: {
      apt: "apt-get install -y --no-install-recommends chromium",
      brew: "brew install --cask google-chrome",
      other: "https://www.google.com/chrome",
    },
  },
  {
    name: "haproxy",
    wanted: "HAProxy 2.4 or newer",
    jobs: { "test:all": "required" },
    purpose: "the test of several NFT indexer APIs behind a proxy",
    find: async () => atLeast(await versionOf("haproxy", ["-v"]), 2, 4),
    install: {
      apt: "apt-get install -y --no-install-recommends haproxy",
      brew: "brew install haproxy",
      other: "https://www.haproxy.org",
    },
  },
];

/**
 * Compares the first version number in a text with the oldest accepted version.
 *
 * @param {string | undefined} text
 * @param {number} major
 * @param {number} minor
 * @returns {Found}
 */
function atLeast(text, major, minor) {
  const [version, foundMajor, foundMinor] = /(\d+)\.(\d+)(?:\.\d+)?/.exec(text ?? "") ?? [];
  const isEnough = Number(foundMajor) > major || (Number(foundMajor) === major && Number(foundMinor) >= minor);
  return { version, isEnough };
}

/** cgo calls the compiler in `CC`, by default gcc, on macOS clang; it needs the C library's headers. */
async function findCCompiler() {
  const compiler = process.env["CC"] ?? (process.platform === "darwin" ? "clang" : "gcc");
  const version = await versionOf(compiler, ["--version"]);
  if (version === undefined) return { version, isEnough: false };
  const headers = await versionOf(compiler, ["-E", "-include", "stdlib.h", "-x", "c", "/dev/null"]);
  const [line = ""] = version.split("\n");
  return headers === undefined
    ? { version: `${line}, without the headers of the C library`, isEnough: false }
    : { version: line, isEnough: true };
}

/** A browser on the PATH or in its usual place; on Linux x64 `npm ci` installs one. */
function findBrowser() {
  const onPath = findProgram(["chromium", "chromium-browser", "google-chrome"]);
  const found = onPath ?? ["/Applications/Google Chrome.app", "/Applications/Chromium.app"].find(existsSync);
  if (found !== undefined) return { version: found, isEnough: true };
  const isInNpm = process.platform === "linux" && process.arch === "x64";
  return { version: isInNpm ? "Chromium, installed by npm ci" : undefined, isEnough: isInNpm };
}

/**
 * Returns what a program prints, or undefined when it is missing or fails.
 *
 * @param {string} program
 * @param {readonly string[]} args
 */
async function versionOf(program, args) {
  try {
    // Headers are some hundred kilobytes.
    const options = { timeout: answerBoundMs, maxBuffer: 16 * 2 ** 20 };
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch {
    return undefined;
  }
}
