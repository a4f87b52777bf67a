import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import config from "../hardhat.config.ts";

/** Loads Hardhat with this project's configuration, in any working directory. */
export async function loadHardhat(): Promise<HardhatRuntimeEnvironment> {
  return createHardhatRuntimeEnvironment(config, {}, dirname(dirname(fileURLToPath(import.meta.url))));
}
