import { loadHardhat } from "./loadHardhat.ts";

/** Compiles the contracts once before all test files. */
export default async function buildContracts(): Promise<void> {
  // Nx has built them, and runs targets at once: a second build would replace files that another one is writing.
  if (process.env["NX_TASK_TARGET_PROJECT"] !== undefined) return;
  const hre = await loadHardhat();
  await hre.tasks.getTask("build").run({ quiet: true });
}
