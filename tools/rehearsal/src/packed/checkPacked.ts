import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { readReleasedPackages } from "../release/makeRelease.ts";
import { runCommand } from "../runCommand.ts";
import { packedFaults } from "./packedFaults.ts";
import { listPacked, readPackedFiles } from "./packedFile.ts";

/**
 * Lists the files of a release's packages.
 *
 * @param root The repository.
 * @throws Error that names every file that does not belong, and everything that is missing.
 */
export async function checkPacked(release: string, root: string): Promise<void> {
  const packages = await readReleasedPackages(release);
  const names = packages.map(({ name }) => name);
  const folders = [`${root}/`, `${homedir()}/`, join(tmpdir(), "vipscore-")];
  const unpacked = await mkdtemp(join(tmpdir(), "vipscore-unpacked-"));
  const faults: string[] = [];
  try {
    for (const { name, version, file } of packages) {
      const folder = join(unpacked, file);
      await mkdir(folder);
      const [archive, options] = [join(release, file), { cwd: folder, env: process.env }];
      await runCommand("tar", ["--extract", "--gzip", "--file", archive, "--strip-components=1"], options);
      const files = await readPackedFiles(folder);
      const { size } = await stat(archive);
      console.log(`${name}@${version}: ${size.toLocaleString("en-US")} bytes packed\n${listPacked(files)}`);
      faults.push(...packedFaults(files, { name, version, names, folders }).map((fault) => `${name}: ${fault}`));
    }
  } finally {
    await rm(unpacked, { recursive: true });
  }
  if (faults.length > 0) throw new Error(`packed files:\n${faults.join("\n")}`);
}
