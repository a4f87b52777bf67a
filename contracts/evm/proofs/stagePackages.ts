import { cp } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Copies what an author installs into a folder's `node_modules`: forge and halmos read no sources outside of the project.
 *
 * @returns The folder of @vipscore/contracts-evm among them.
 */
export async function stagePackages(folder: string): Promise<string> {
  const openzeppelin = dirname(createRequire(import.meta.url).resolve("@openzeppelin/contracts/package.json"));
  const own = join(folder, "node_modules/@vipscore/contracts-evm");
  await cp(openzeppelin, join(folder, "node_modules/@openzeppelin/contracts"), { recursive: true });
  for (const name of [
    "src",
    "proofs/AnyState.sol",
    "proofs/SumProofs.sol",
    "proofs/VipScoreProofs.sol",
    "proofs/solc.mjs",
  ])
    await cp(join(import.meta.dirname, "..", name), join(own, name), { recursive: true });
  return own;
}
