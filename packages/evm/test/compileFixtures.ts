import type { TestProject } from "vitest/node";
import { compileContracts, type CompiledContract } from "../scripts/compileContracts.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Our contract, one with the reference's shape, and the example of a game, freshly compiled. */
    readonly contracts: Readonly<Record<"ours" | "reference" | "arena", CompiledContract>>;
  }
}

/** Compiles the contracts once for all test files, so that tests never run against a stale build. */
export default async function compileFixtures(project: TestProject): Promise<void> {
  const [ours, reference, arena] = await compileContracts(["VipScore", "ReferenceShape", "Arena"]);
  if (!ours || !reference || !arena) throw new Error("contracts/evm lacks a contract of the tests");
  project.provide("contracts", { ours, reference, arena });
}
