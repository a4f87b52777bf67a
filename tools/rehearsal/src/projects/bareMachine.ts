import { existsSync, realpathSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** The programs that Node's own installer puts on a machine, and a shell. */
const programs = ["node", "npm", "npx", "sh"] as const;

/**
 * Makes a folder that is the whole PATH of a machine with Node and nothing else: no compiler, no Python, no git, no Go.
 *
 * @param path The PATH that has Node and npm.
 * @returns The folder.
 */
export async function bareMachine(folder: string, path: string): Promise<string> {
  const bin = join(folder, "bin");
  await mkdir(bin);
  for (const program of programs) {
    const found = path
      .split(delimiter)
      .map((each) => join(each, program))
      .find(existsSync);
    if (found === undefined) throw new Error(`there is no ${program} on the PATH`);
    // npm finds its files from where it really is.
    await symlink(realpathSync(found), join(bin, program));
  }
  return bin;
}
