import { existsSync, realpathSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { buildVipnodes } from "@vipscore/localnet";
import { readPackedRelease } from "../packedRelease.ts";
import { runProgram } from "../runProgram.ts";
import { makeRelease } from "./makeRelease.ts";
import { projects, type Project } from "./projects.ts";
import { startRegistry } from "./startRegistry.ts";

/**
 * `rehearse.ts [folder]` publishes a release to a registry on this machine, installs it into projects outside the repository,
 * with nothing but Node on the PATH but for an author's project, and runs them. The release is the one that packRelease.ts wrote
 * to the folder. Default: the next release of HEAD, made for the purpose.
 */
const [given] = process.argv.slice(2);
// A machine that runs all other checks too leaves the authors' project to the release, and to CI's other machine.
const groups = (process.env["REHEARSE"] ?? "users,authors").split(",");
const chosen = projects.filter(({ group = "users" }) => groups.includes(group));
if (chosen.length === 0) throw new Error("REHEARSE names none of users, authors, managers, frontends and images");
const root = resolve(import.meta.dirname, "../../../..");
const folder = await mkdtemp(join(tmpdir(), "vipscore-rehearsal-"));
try {
  const upstream = (await runProgram("npm", ["config", "get", "registry"], root)).trim();
  const npmrc = await startRegistry(folder, upstream);
  const env = { ...userEnvironment(), npm_config_userconfig: npmrc, npm_config_cache: join(folder, "cache") };
  const REGISTRY = (await runProgram("npm", ["config", "get", "registry"], folder, env)).trim();
  const release =
    given === undefined ? await makeRelease(root, folder, env, groups.includes("frontends")) : resolve(given);
  const packages = readPackedRelease(release);
  for (const { file } of packages) await checkTarball(join(release, file));
  const step = join(root, "tools/release/src/publishRelease.ts");
  process.stdout.write(await runProgram(process.execPath, [step, release], folder, env));
  const RELEASED_VERSION = packages.find(({ name }) => name === "@vipscore/cli")?.version;
  // A program that Node's own installer puts on a machine, and a shell: no compiler, no Python, no git.
  const node = await linkPrograms("bin", ["node", "npm", "npx", "sh"].map(findProgram));
  const author = groups.includes("authors") ? await linkAuthorPrograms() : "";
  for (const project of chosen) {
    const PATH = project.group === "authors" ? [node, author].join(delimiter) : node;
    await runProject(project, {
      ...env,
      REGISTRY,
      npm_config_cache: join(folder, `${project.name}-cache`),
      PATH,
      RELEASED_VERSION,
    });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Copies a project to an empty folder, installs it from the registry with an empty cache, and uses it. */
async function runProject({ name, template = name, commands, check }: Project, env: NodeJS.ProcessEnv): Promise<void> {
  console.log(`\n${name}`);
  const cwd = join(folder, name);
  await mkdir(cwd);
  const source = join(import.meta.dirname, "../../projects", template);
  if (existsSync(source)) await cp(source, cwd, { recursive: true });
  for (const [program, ...args] of commands) {
    const started = performance.now();
    const output = await runProgram(program, args, cwd, env);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`  ${[program, ...args].join(" ")} (${seconds} s): ${output.trim().split("\n").at(-1)}`);
  }
  await check?.(cwd, env);
}

async function checkTarball(archive: string): Promise<void> {
  const tar = (mode: string): Promise<string> => runProgram("tar", [mode, "--gzip", "--file", archive], folder);
  const files = (await tar("--list")).split("\n");
  const tests = files.filter((path) => /\.test\.ts$|\/(?:spec|testkit)\/|\.tsbuildinfo$/.test(path));
  if (tests.length > 0) throw new Error(`${archive} holds ${tests.join(", ")}`);
  const content = await runProgram("tar", ["--extract", "--to-stdout", "--gzip", "--file", archive], folder);
  if (content.includes(`${root}/`) || content.includes(folder))
    throw new Error(`${archive} names a folder of this machine`);
}

/**
 * Returns the environment of a user's shell: without what the npm and the Nx around this process have set, which would reach
 * into the projects, and with this process's Node first on the PATH.
 */
function userEnvironment(): NodeJS.ProcessEnv {
  const { PATH = "", ...all } = process.env;
  const kept = Object.entries(all).filter(([name]) => !/^(npm|nx|github)_|^(node_options|init_cwd)$/i.test(name));
  const folders = PATH.split(delimiter).filter((each) => !each.includes("node_modules"));
  return { ...Object.fromEntries(kept), PATH: [dirname(process.execPath), ...folders].join(delimiter) };
}

function findProgram(program: string): string {
  const folders = [dirname(process.execPath), ...(process.env["PATH"] ?? "").split(delimiter)];
  const found = folders.map((each) => join(each, program)).find(existsSync);
  if (found === undefined) throw new Error(`there is no ${program} on the PATH`);
  return found;
}

/** Links the compilers of an author of contracts, and the local chains, which take minutes to build. */
async function linkAuthorPrograms(): Promise<string> {
  const bin = await linkPrograms("author-bin", ["cargo", "cc", "go", "rustc", "rustup"].map(findProgram));
  const [vipnodeMove = "", vipnodeWasm = ""] = await buildVipnodes({ vms: ["move", "wasm"] });
  await symlink(vipnodeMove, join(bin, "vipnode-move"));
  await symlink(vipnodeWasm, join(bin, "vipnode-wasm"));
  return bin;
}

/** Makes a folder with links to programs, to be all that is on a PATH. */
async function linkPrograms(name: string, programs: readonly string[]): Promise<string> {
  const bin = join(folder, name);
  await mkdir(bin);
  // npm finds its files from where it really is.
  for (const program of programs) await symlink(realpathSync(program), join(bin, basename(program)));
  return bin;
}
