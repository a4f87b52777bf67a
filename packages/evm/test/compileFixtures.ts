import type { TestProject } from "vitest/node";
import { compileContracts, type CompiledContract } from "../scripts/compileContracts.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Our contract, and one with the reference's shape, freshly compiled. */
    readonly contracts: { readonly ours: CompiledContract; readonly reference: CompiledContract };
  }
}

/** Compiles the contracts once for all test files, so that tests never run against a stale build. */
export default async function compileFixtures(project: TestProject): Promise<void> {
  const [ours, reference] = await compileContracts(["VipScore", "ReferenceShape"]);
  if (ours === undefined || reference === undefined) throw new Error("contracts/evm lacks a contract of the tests");
  project.provide("contracts", { ours, reference });
}
