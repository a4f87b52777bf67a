/**
 * Prepares this checkout for the tests, the demo or the rehearsal of a release: `prepare.mjs <job>`, with a job of the doctor.
 * First checks what must be installed by hand, as the doctor does; then installs with npm what package-lock.json names and
 * node_modules lacks. Prints nothing when everything is there.
 *
 * Plain JavaScript without dependencies, for the same reasons as doctor.mjs.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { examine, jobNames, jobOf } from "./examine.mjs";
import { outdatedPackages } from "./outdatedPackages.mjs";

const root = join(import.meta.dirname, "../../..");
const job = jobOf(process.argv[2]);

if (job === undefined || process.argv.length > 3) {
  console.error(`usage: prepare.mjs ${jobNames.join("|")}`);
  process.exitCode = 2;
} else if (!(await examine(job, { isQuiet: true }))) {
  process.exitCode = 1;
} else {
  const workspace = job === "demo" ? "packages/demo" : undefined;
  const outdated = outdatedPackages(root, workspace);
  if (outdated.length > 0) process.exitCode = await install(outdated.length, workspace);
}

/**
 * @param {number} count
 * @param {string | undefined} workspace
 */
async function install(count, workspace) {
  const options = workspace === undefined ? [] : ["--omit=dev", "--ignore-scripts", "-w", workspace];
  const args = ["ci", "--no-audit", "--no-fund", ...options];
  console.error(`${count} packages of package-lock.json are missing or have another version: npm ${args.join(" ")}`);
  const chains = workspace === undefined ? compileChains() : undefined;
  const npm = spawn("npm", args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  const [status] = await once(npm, "close");
  chains?.kill();
  return status ?? 1;
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
