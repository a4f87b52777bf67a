import { stat } from "node:fs/promises";

/**
 * Returns a text that a folder's copy does not have: a file that names its folder was not brought there with a repository.
 *
 * @throws Error of the system.
 */
export async function folderIdentity(path: string): Promise<string> {
  const { ino, birthtimeNs } = await stat(path, { bigint: true });
  return `${ino} ${birthtimeNs}`;
}
