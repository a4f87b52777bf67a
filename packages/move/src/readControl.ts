import type { ContractControl, ReadOptions } from "@vipscore/core";
import { readExtension } from "./moduleExtension.ts";
import type { ModuleReader } from "./moduleStore.ts";
import { findPublishedModule } from "./publishedModule.ts";

/** Reads the roles of our module at one height. */
export async function readControl(reader: ModuleReader, options: ReadOptions): Promise<ContractControl> {
  const [{ publisherManages, ...roles }, module] = await Promise.all([
    readExtension(reader, options),
    findPublishedModule(reader, options),
  ]);
  const codeAdmin = module?.upgradePolicy === "compatible" ? reader.address : undefined;
  return { ...roles, othersManage: publisherManages, codeAdmin };
}
