import { loadHardhat } from "./loadHardhat.ts";

/** Compiles the contracts once before all test files. */
export default async function buildContracts(): Promise<void> {
  const hre = await loadHardhat();
  await hre.tasks.getTask("build").run({ quiet: true });
}
