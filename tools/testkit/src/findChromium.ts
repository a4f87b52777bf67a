import { accessSync, constants, existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { inflate } from "@sparticuz/chromium";

/** An installed browser. */
export interface FoundChromium extends AsyncDisposable {
  /** Options of Playwright's `chromium.launch` that start it. */
  readonly launch: {
    readonly executablePath: string;
    /** The environment of this process, and what the browser needs beyond it. */
    readonly env: NodeJS.ProcessEnv;
    readonly args: string[];
  };
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
  if (installed !== undefined) {
    return { launch: launchOptions(installed), [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  if (process.platform === "linux" && process.arch === "x64") return unpackChromium();
  throw new Error(`no Chromium on PATH (${programs.join(", ")})`);
}

function launchOptions(executablePath: string, env: NodeJS.ProcessEnv = {}): FoundChromium["launch"] {
  // Chromium's sandbox does not work for root, nor in most containers.
  return { executablePath, env: { ...process.env, ...env }, args: ["--no-sandbox"] };
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
  // The settings that come with the fonts name fixed folders. A browser without a font shows no text at all.
  const settings = join(folder, "fonts.conf");
  await writeFile(
    settings,
    `<fontconfig><dir>${fonts}</dir><cachedir>${join(folder, "font-cache")}</cachedir></fontconfig>\n`,
  );
  return {
    launch: launchOptions(path, { LD_LIBRARY_PATH: join(libraries, "lib"), FONTCONFIG_FILE: settings }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
