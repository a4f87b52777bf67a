/**
 * Prepares this checkout for the tests, the demo or the rehearsal of a release: `prepare.mjs <job>`, with a job of the doctor.
 * First checks what must be installed by hand, as the doctor does; then installs with npm what package-lock.json names and
 * node_modules lacks. Prints nothing when everything is there.
 *
 * Plain JavaScript without dependencies, for the same reasons as doctor.mjs.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { examine, jobs } from "./examine.mjs";

const root = join(import.meta.dirname, "../../..");
const [, , given, ...more] = process.argv;
const job = jobs.find((each) => each === given);
if (job === undefined || more.length > 0) {
  console.error(`usage: prepare.mjs ${jobs.join("|")}`);
  process.exitCode = 2;
} else if (!(await examine(job, true))) {
  process.exitCode = 1;
} else if (isOutdated(job === "demo" ? "packages/demo" : undefined)) {
  const options = job === "demo" ? ["--omit=dev", "--ignore-scripts", "-w", "packages/demo"] : [];
  const args = ["ci", "--no-audit", "--no-fund", ...options];
  console.error(`packages of package-lock.json are missing or have another version: npm ${args.join(" ")}`);
  const chains = job === "demo" ? undefined : compileChains();
  const npm = spawn("npm", args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  const [status] = await once(npm, "close");
  chains?.kill();
  process.exitCode = status ?? 1;
}

/**
 * @typedef {object} Entry A package of a lock file, as far as it matters here.
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {string} [resolved] Of a link: the folder that it leads to.
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {Readonly<Record<string, string>>} [dependencies]
 */

/**
 * Whether a package that the lock file names is missing or has another version in `node_modules`. npm lists what it installed in
 * `node_modules/.package-lock.json`, and leaves out optional packages for other platforms.
 *
 * @param {string | undefined} workspace Only what this workspace needs to run. Default: all.
 */
function isOutdated(workspace) {
  const locked = packagesOf("package-lock.json");
  if (locked === undefined) throw new Error(`${root} has no package-lock.json`);
  const installed = packagesOf("node_modules/.package-lock.json") ?? {};
  /** @type {Set<string>} */
  const places = new Set(workspace === undefined ? Object.keys(locked) : [workspace]);
  // A set visits what is added meanwhile: of a workspace, what its dependencies need, through links too.
  for (const place of places) {
    for (const name of Object.keys(locked[place]?.dependencies ?? {}))
      places.add(`node_modules/${name}`).add(locked[`node_modules/${name}`]?.resolved ?? "");
  }
  return [...places].some((place) => {
    const { version, integrity, optional = false, devOptional = false } = locked[place] ?? {};
    if (!place.startsWith("node_modules/") || optional || devOptional || !(place in locked)) return false;
    const found = installed[place];
    return found === undefined || found.version !== version || found.integrity !== integrity;
  });
}

/**
 * @param {string} file
 * @returns {Readonly<Record<string, Entry>> | undefined}
 */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * Starts to compile the local chains, which takes minutes the first time and leaves npm a core. Go keeps each package that
 * is done: the build after the installation only adds the rest, and reports what fails.
 */
function compileChains() {
  const options = { cwd: join(root, "tools/vipnode"), env: { GOGC: "400", ...process.env } };
  // Compiles without linking: the programs are linked with other flags.
  const args = ["list", "-export", "-deps", "-trimpath", "-gcflags=all=-dwarf=false", "./cmd/..."];
  const go = spawn("go", args, { ...options, stdio: "ignore" });
  go.once("error", () => undefined);
  return go;
}
