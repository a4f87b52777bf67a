import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Creates a Python environment in `folder` that holds exactly the packages of a requirements file, which has the hashes of
 * all; one that already does is kept. Needs Python 3 with venv.
 *
 * @returns The folder of the environment's programs.
 * @throws Error when Python is missing, or pip cannot install the packages or finds other hashes.
 */
export async function pythonEnvironment(folder: string, requirementsFile: string): Promise<string> {
  const requirements = await readFile(requirementsFile, "utf8");
  const installed = join(folder, "requirements.txt");
  const programs = join(folder, "bin");
  if (!existsSync(installed) || (await readFile(installed, "utf8")) !== requirements) {
    await rm(folder, { recursive: true, force: true });
    execFileSync("python3", ["-m", "venv", folder], { stdio: "inherit" });
    const install = ["install", "--quiet", "--require-hashes", "--requirement", requirementsFile];
    execFileSync(join(programs, "pip"), install, { stdio: "inherit" });
    await writeFile(installed, requirements);
  }
  return programs;
}
