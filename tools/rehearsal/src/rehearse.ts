import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkPacked } from "./packed/checkPacked.ts";
import { authorTools, bareMachine } from "./projects/bareMachine.ts";
import { projects } from "./projects/projects.ts";
import { runProject, type ProjectResult } from "./projects/runProject.ts";
import { addUser, writeNpmrc } from "./registry/npmUser.ts";
import { startRegistry, type Registry } from "./registry/startRegistry.ts";
import { makeRelease, readReleasedPackages } from "./release/makeRelease.ts";
import { resultTable } from "./resultTable.ts";
import { cleanEnvironment, runCommand } from "./runCommand.ts";

/**
 * `rehearse.ts [folder]` publishes a release to a registry on this machine, installs it into empty projects outside the
 * repository, with nothing but Node on the PATH but for an author's project, and runs them. The release is the one that packRelease.ts wrote to the folder.
 * Default: the next release of HEAD, made for the purpose.
 */
const [given] = process.argv.slice(2);
const { PATH: searched = "" } = process.env;
const root = resolve(import.meta.dirname, "../../..");
const folder = await mkdtemp(join(tmpdir(), "vipscore-rehearsal-"));
try {
  const upstream = (await runCommand("npm", ["config", "get", "registry"], { cwd: root, env: process.env })).trim();
  const registry = await startRegistry(folder, upstream);
  const version = await publish(registry);
  const [path, authorPath] = [await bareMachine(folder, searched), await authorTools(folder, searched)];
  const results: ProjectResult[] = [];
  for (const project of projects) {
    console.log(`\n${project.name}`);
    results.push(await runProject(project, { registry, path, authorPath, folder, version }));
  }
  console.log(`\n${resultTable(results)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Publishes the release by the workflow's own steps, and returns its version. */
async function publish(registry: Registry): Promise<string> {
  const door = await registry.open();
  try {
    const npmrc = join(folder, "publisher.npmrc");
    await writeNpmrc(npmrc, door.url, await addUser(door.url));
    const env = cleanEnvironment(npmrc, join(folder, "publisher-cache"));
    const release = given === undefined ? await makeRelease(root, folder, env) : resolve(given);
    await checkPacked(release, root);
    const step = join(root, "tools/release/src/publishRelease.ts");
    process.stdout.write(await runCommand(process.execPath, [step, release], { cwd: folder, env }));
    const command = (await readReleasedPackages(release)).find(({ name }) => name === "@vipscore/cli");
    if (command === undefined) throw new Error(`${release} does not hold the command`);
    await registry.markShrinkwrap(command.name, command.version);
    return command.version;
  } finally {
    await door.close();
  }
}
