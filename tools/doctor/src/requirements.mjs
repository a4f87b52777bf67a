import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

/** @typedef {"test" | "test:all" | "demo" | "release:rehearse"} Job The npm script of that name. */

/**
 * Something outside npm that a job needs.
 *
 * @typedef {object} Requirement
 * @property {string} name
 * @property {string} wanted The accepted versions; empty for any version.
 * @property {readonly Job[]} jobs What needs it; the demo only leaves out the local Move and Wasm chains without it.
 * @property {string} purpose What cannot run without it.
 * @property {() => Promise<{ readonly version: string | undefined, readonly isEnough: boolean }>} find
 * @property {readonly [apt: string, brew: string, other: string]} install How to install it.
 */

/** @type {readonly Job[]} */
const tests = ["test", "test:all", "release:rehearse"];
const chains = "the local Move and Wasm chains";
const node = "npx -y -p node@22 npm test, as in README.md";
const wasmLibrary = "the standard library for Wasm, with which the rehearsal builds a contract";
const npmCi = "npm ci, which runs node-gyp for better-sqlite3 even where nothing has to be compiled";

/** @type {readonly Requirement[]} */
export const requirements = [
  {
    name: "Node",
    wanted: "22.19 or newer",
    jobs: [...tests, "demo"],
    purpose: "everything",
    find: () => Promise.resolve(atLeast(process.versions.node, "22.19")),
    install: [node, node, node],
  },
  printing("go version", "Go", "1.23", [...tests, "demo"], chains, [
    "apt-get install -y golang-go (from Debian 13 or Ubuntu 25.04; before: https://go.dev/doc/install)",
    "brew install go",
    "https://go.dev/doc/install",
  ]),
  {
    name: "C compiler",
    wanted: "",
    jobs: [...tests, "demo"],
    purpose: chains,
    find: findCCompiler,
    install: [
      "apt-get install -y gcc libc6-dev",
      "xcode-select --install",
      "gcc or clang, with the headers of the C library",
    ],
  },
  printing("cargo --version", "cargo", "1.85", tests, "the tests of the CosmWasm contract", [
    "apt-get install -y cargo (from Debian 13 or Ubuntu 25.04; before: https://rustup.rs)",
    "brew install rust",
    "https://rustup.rs",
  ]),
  printing("rustup --version", "rustup", "", ["release:rehearse"], wasmLibrary, [
    "https://rustup.rs (in Debian 13 also: apt-get install -y rustup)",
    "brew install rustup",
    "https://rustup.rs",
  ]),
  printing("python3 --version", "Python", "3.8", tests, npmCi, [
    "apt-get install -y python3",
    "brew install python",
    "https://www.python.org/downloads",
  ]),
  printing("make --version", "make", "", tests, npmCi, [
    "apt-get install -y make",
    "xcode-select --install",
    "https://www.gnu.org/software/make",
  ]),
  {
    name: "browser",
    wanted: "Chromium or Chrome",
    jobs: ["test:all", "release:rehearse"],
    purpose: "the browser tests of the NFT client and the report",
    find: () => Promise.resolve(findBrowser()),
    install: [
      "apt-get install -y --no-install-recommends chromium",
      "brew install --cask google-chrome",
      "https://www.google.com/chrome",
    ],
  },
  printing(
    "haproxy -v",
    "haproxy",
    "HAProxy 2.4",
    ["test:all"],
    "the test of several NFT indexer APIs behind a proxy",
    ["apt-get install -y --no-install-recommends haproxy", "brew install haproxy", "https://www.haproxy.org"],
  ),
];

/**
 * A program that prints its version.
 *
 * @param {string} command
 * @param {string} name
 * @param {string} oldest The oldest accepted version; empty for any.
 * @param {readonly Job[]} jobs
 * @param {string} purpose
 * @param {Requirement["install"]} install
 * @returns {Requirement}
 */
function printing(command, name, oldest, jobs, purpose, install) {
  const [file = "", ...args] = command.split(" ");
  const find = async () => atLeast(await answerOf(file, args), oldest);
  return { name, wanted: oldest && `${oldest} or newer`, jobs, purpose, find, install };
}

/**
 * Compares the first version number in a text with the oldest accepted one.
 *
 * @param {string | undefined} text
 * @param {string} oldest
 */
function atLeast(text, oldest) {
  const [version, major, minor] = versionIn(text);
  const [, oldestMajor, oldestMinor] = versionIn(oldest || "0.0");
  const isEnough =
    Number(major) > Number(oldestMajor) || (major === oldestMajor && Number(minor) >= Number(oldestMinor));
  return { version, isEnough };
}

/** @param {string | undefined} text */
const versionIn = (text) => /(\d+)\.(\d+)(?:\.\d+)?/.exec(text ?? "") ?? [];

/** cgo calls the compiler in `CC`, by default gcc, on macOS clang; it needs the C library's headers. */
async function findCCompiler() {
  const compiler = process.env["CC"] ?? (process.platform === "darwin" ? "clang" : "gcc");
  const [version] = (await answerOf(compiler, ["--version"]))?.split("\n") ?? [];
  const headers = version && (await answerOf(compiler, ["-E", "-include", "stdlib.h", "-x", "c", "/dev/null"]));
  if (headers !== undefined || version === undefined) return { version, isEnough: headers !== undefined };
  return { version: `${version}, without the headers of the C library`, isEnough: false };
}

/** A browser on the PATH or in its usual place; on Linux x64 `npm ci` installs one. */
function findBrowser() {
  const usual = ["/Applications/Google Chrome.app", "/Applications/Chromium.app"].find(isProgram);
  const found = findProgram("chromium") ?? findProgram("chromium-browser") ?? findProgram("google-chrome") ?? usual;
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
async function answerOf(program, args) {
  // A program that hangs must not block the doctor; headers are some hundred kilobytes.
  const answer = promisify(execFile)(program, args, { timeout: 20_000, maxBuffer: 16 * 2 ** 20 });
  return answer.then(({ stdout }) => stdout).catch(() => undefined);
}

/** @param {string} name */
export function findProgram(name) {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram);
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
