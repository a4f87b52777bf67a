import { existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { writeNpmrc } from "../registry/npmUser.ts";
import type { Served } from "../registry/openDoor.ts";
import type { Registry } from "../registry/startRegistry.ts";
import { cleanEnvironment, runCommand } from "../runCommand.ts";
import { measureInstallation, type Installation } from "./measureInstallation.ts";
import type { Project } from "./projects.ts";

/** The place where a project runs. */
export interface ProjectPlace {
  readonly registry: Registry;
  /** The PATH of its commands. */
  readonly path: string;
  /** The folder that is on the PATH of an author's project in addition. */
  readonly authorPath: string;
  /** A folder outside the repository. */
  readonly folder: string;
  /** The version that its commands have to report. */
  readonly version: string;
}

/** Measurements of a project. */
export interface ProjectResult extends Served, Installation {
  readonly name: string;
  readonly installSeconds: number;
  readonly useSeconds: number;
}

const templates = join(import.meta.dirname, "../../projects");

/**
 * Copies a project to an empty folder, installs it from the registry with an empty cache, and uses it.
 *
 * @throws Error with the output of a command that fails.
 */
export async function runProject(
  project: Project,
  { registry, path, authorPath, folder, version }: ProjectPlace,
): Promise<ProjectResult> {
  const { name, isAuthor, install, use, check } = project;
  const [cwd, cache, npmrc] = [join(folder, name), join(folder, `${name}-cache`), join(folder, `${name}.npmrc`)];
  await mkdir(cwd);
  const template = join(templates, name);
  if (existsSync(template)) await cp(template, cwd, { recursive: true });
  const door = await registry.open();
  try {
    await writeNpmrc(npmrc, door.url);
    const env: NodeJS.ProcessEnv = { ...cleanEnvironment(npmrc, cache), RELEASED_VERSION: version };
    env["PATH"] = isAuthor === true ? [path, authorPath].join(delimiter) : path;
    const run = async (commands: Project["use"]): Promise<number> => {
      let total = 0;
      for (const [program, ...args] of commands) {
        const started = performance.now();
        const output = await runCommand(program, args, { cwd, env });
        const seconds = (performance.now() - started) / 1000;
        total += seconds;
        const lastLine = output.trim().split("\n").at(-1);
        console.log(`  ${[program, ...args].join(" ")} (${seconds.toFixed(1)} s): ${lastLine}`);
      }
      return total;
    };
    const installSeconds = await run(install);
    const useSeconds = await run(use);
    await check?.(cwd);
    return { name, installSeconds, useSeconds, ...door.served(), ...(await measureInstallation([cwd, cache])) };
  } finally {
    await door.close();
  }
}
