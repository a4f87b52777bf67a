import { accessSync, constants, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { inflate } from "@sparticuz/chromium";

/** An installed browser. */
export interface FoundChromium extends AsyncDisposable {
  readonly path: string;
  /** Additional environment variables that it needs. */
  readonly env: Readonly<Record<string, string>>;
}

const programs = ["chromium", "chromium-browser", "google-chrome"];
const macPrograms = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Returns a Chromium or Chrome: the one on the PATH, on macOS that of the applications folder, on Linux x64 otherwise
 * the one that npm installed, unpacked into a temporary folder that is removed on disposal.
 *
 * @throws Error with the names that were tried if no browser is found.
 */
export async function findChromium(): Promise<FoundChromium> {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const onPath = programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
  const installed = onPath ?? macPrograms.find(existsSync);
  if (installed !== undefined) return { path: installed, env: {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  if (process.platform === "linux" && process.arch === "x64") return unpackChromium();
  throw new Error(`no Chromium on PATH (${programs.join(", ")})`);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Unpacks the browser with the libraries and fonts that come with it, so that it needs only the system's C library. */
async function unpackChromium(): Promise<FoundChromium> {
  const folder = await mkdtemp(join(tmpdir(), "vipscore-chromium-"));
  const packed = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "..", "bin");
  // The package unpacks into the system's folder for temporary files, where a partly unpacked browser would stay and be
  // used.
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  const unpacking = ["chromium.br", "al2023.tar.br", "fonts.tar.br"].map((name) => inflate(join(packed, name)));
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  const [path = "", libraries = "", fonts = ""] = await Promise.all(unpacking);
  return {
    path,
    env: { LD_LIBRARY_PATH: join(libraries, "lib"), FONTCONFIG_PATH: fonts },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
