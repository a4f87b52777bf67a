import { spawnSync } from "node:child_process";
import { runProgram } from "../runProgram.ts";

/**
 * Builds the images of docs/operations from the rehearsal's registry, with Docker or else Podman, and runs each as compose.yaml
 * does: on a read-only file system, without capabilities. Needs the base image, or a registry that has it.
 */
export async function checkImages(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { REGISTRY = "", RELEASED_VERSION: version = "" } = env;
  const own = { ...env, PATH: process.env["PATH"], BUILDAH_FORMAT: "docker" };
  const hasDocker = spawnSync("docker", ["info"], { env: own, stdio: "ignore" }).status === 0;
  const run = (...args: readonly string[]): Promise<string> =>
    runProgram(hasDocker ? "docker" : "podman", args, folder, own);
  const settings = [`NPM_CONFIG_REGISTRY=${REGISTRY}`, `VIPSCORE_VERSION=${version}`];
  const limits = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
  for (const target of ["cli", "indexer"]) {
    const image = `vipscore-rehearsed-${target}`;
    const build = ["--network", "host", "--target", target, "--tag", image];
    await run("build", ...build, ...settings.flatMap((setting) => ["--build-arg", setting]), ".");
    const shown = (await run("run", "--rm", ...limits, image, "--version")).trim();
    const user = (await run("run", "--rm", ...limits, "--entrypoint", "id", image, "-u")).trim();
    console.log(`  ${image}: version ${shown}, user ${user}`);
    if (shown !== version || user === "0") throw new Error(`${image} has not version ${version}, or runs as root`);
  }
  await run("run", "--rm", ...limits, "vipscore-rehearsed-indexer", "indexer", "--help");
  if (hasDocker) await run("compose", "config", "--quiet");
}
